import { cleanLines } from "@/lib/cleanText";
import * as t from "@/texts/order";
import { Options, Select, Textarea } from "@/ui";
import { StepForm } from "./StepForm";

/** An admin gives the money to one side. */
export function Decide({ id }: { id: string }) {
  return (
    <StepForm
      id={id}
      title={t.decideTitle}
      lead={t.decideLead}
      submit={t.decideTitle}
      question={t.confirmDecision}
      consequence={({ outcome }) => t.outcomes[outcome as keyof typeof t.outcomes]}
      names={["outcome", "reason"]}
      defaultValues={{ outcome: "release", reason: "" }}
      stepOf={(values) => ({ action: "settle", ...values })}
    >
      {({ register, formState: { errors } }) => (
        <>
          <Select label={t.outcome} error={errors.outcome?.message} {...register("outcome")}>
            <Options labels={t.outcomes} />
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
