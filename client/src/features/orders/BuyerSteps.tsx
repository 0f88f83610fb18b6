import type { Booking } from "@/api/types";
import * as t from "@/texts/order";
import { cx } from "@/ui";
import { HandoverCode } from "./HandoverCode";
import { Received } from "./Received";
import { ReportProblem } from "./ReportProblem";
import { StepHead, stepCardClass } from "./StepCard";
import { namesOf } from "./stage";

interface Props {
  order: Booking;
  state: "waiting" | "sent";
}

/** The buyer shows the code at a meeting, confirms that the phone is there, or reports a problem. */
export function BuyerSteps({ order, state }: Props) {
  const { _id: id } = order;
  return (
    <div className="grid gap-6">
      <section className={cx(stepCardClass, state === "sent" && "order-last")}>
        <StepHead title={t.meetTitle(namesOf(order).seller)} lead={t.meetLead} />
        <HandoverCode id={id} isPrimary={state === "waiting"} />
      </section>
      <section className={stepCardClass}>
        <StepHead title={t.haveTitle} lead={t.haveLead} />
        <div className="flex flex-wrap gap-3">
          <Received id={id} isPrimary={state === "sent"} />
          <ReportProblem id={id} />
        </div>
      </section>
    </div>
  );
}
