import type { Booking } from "@/api/types";
import { cleanLines } from "@/lib/cleanText";
import { dollars } from "@/texts/money";
import { theBuyer, theSeller } from "@/texts/moneyActions";
import * as t from "@/texts/order";
import { Options, Select, Textarea } from "@/ui";
import { StepForm } from "./StepForm";

type Outcome = keyof typeof t.outcomes;
interface Values {
  /** "" until the admin has chosen: nothing is preset where money is moved. */
  outcome: Outcome | "";
  reason: string;
}
const UNDECIDED: Values = { outcome: "", reason: "" };

/** An admin gives the money to one side. The button names the sum and the person. */
export function Decide({ order }: { order: Booking }) {
  const move = {
    sum: dollars(order.total),
    seller: order.seller?.name || theSeller,
    buyer: order.userName || theBuyer,
  };
  const actionOf = ({ outcome }: Values) => (outcome === "" ? t.decideTitle : t.decisions[outcome](move));
  return (
    <StepForm
      id={order._id}
      title={t.decideTitle}
      lead={t.decideLead}
      submit={actionOf}
      question={(values) => t.confirmDecision(actionOf(values))}
      consequence={({ outcome }) => (outcome === "" ? "" : t.decisionConsequences[outcome])}
      names={["outcome", "reason"]}
      defaultValues={UNDECIDED}
      stepOf={({ outcome, reason }) => ({ action: "settle", outcome: outcome || undefined, reason })}
    >
      {({ register, formState: { errors } }) => (
        <>
          <Select
            label={t.outcome}
            error={errors.outcome?.message}
            {...register("outcome", { required: t.outcomeMissing })}
          >
            <Options labels={{ "": t.chooseOutcome, ...t.outcomes }} />
          </Select>
          <Textarea
            label={t.reasonLabel}
            error={errors.reason?.message}
            maxLength={1000}
            {...register("reason", { setValueAs: cleanLines, required: t.required(t.reasonLabel) })}
          />
        </>
      )}
    </StepForm>
  );
}
