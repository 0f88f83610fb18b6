import type { Booking } from "@/api/types";
import * as t from "@/texts/order";
import { categories as labels } from "@/texts/orderProblems";
import { cx, useNow } from "@/ui";
import { ConfirmStep } from "./ConfirmStep";
import { HandoverCode } from "./HandoverCode";
import { type Category, ReasonStep } from "./ReasonStep";
import { StepHead, stepCardClass } from "./StepCard";
import { deadlineOf, namesOf } from "./stage";

interface Props {
  order: Booking;
  state: "waiting" | "sent" | "received";
}

/** The buyer shows the code at a meeting, confirms that the phone is there, gives more time, or reports a problem. */
export function BuyerSteps({ order, state }: Props) {
  const { _id: id } = order;
  const categories = useCategories(order, state);
  if (state === "received") {
    return (
      <section className={stepCardClass}>
        <StepHead title={t.wrongTitle} lead={t.wrongLead} />
        <div>
          <ReasonStep id={id} action="problem" categories={categories} />
        </div>
      </section>
    );
  }
  const meets = state === "waiting" && order.delivery === "meet";
  return (
    <div className="grid gap-6">
      <section className={cx(stepCardClass, !meets && "order-last")}>
        <StepHead title={t.meetTitle(namesOf(order).seller)} lead={t.meetLead} />
        <HandoverCode id={id} reader="seller" isPrimary={meets} />
      </section>
      <section className={stepCardClass}>
        <StepHead title={t.haveTitle} lead={t.haveLead} />
        <div className="flex flex-wrap gap-3">
          <ConfirmStep
            id={id}
            action="received"
            label={t.haveIt}
            question={t.receivedQuestion}
            isPrimary={state === "sent"}
          >
            {t.receivedConsequence}
          </ConfirmStep>
          <ReasonStep id={id} action="problem" categories={categories} />
        </div>
      </section>
      {state === "waiting" && !order.fulfilment?.waited && (
        <section className={stepCardClass}>
          <StepHead title={t.waitTitle} lead={t.waitLead(deadlineOf(order))} />
          <div>
            <ConfirmStep id={id} action="wait" label={t.giveTime} question={t.waitQuestion}>
              {t.waitConsequence}
            </ConfirmStep>
          </div>
        </section>
      )}
    </div>
  );
}

/** What a problem may be about: one who has the phone, or waits for it in the seller's time, cannot say that it has not arrived. */
function useCategories({ fulfilment }: Booking, state: Props["state"]): Category[] {
  const sendBy = state === "waiting" ? fulfilment?.sendBy : undefined;
  const isInTime = useNow(sendBy) < Date.parse(sendBy ?? "");
  const all = Object.keys(labels) as Category[];
  return state === "received" || isInTime ? all.filter((category) => category !== "not_arrived") : all;
}
