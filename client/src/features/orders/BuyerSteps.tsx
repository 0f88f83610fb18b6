import type { Booking } from "@/api/types";
import * as t from "@/texts/order";
import { cx } from "@/ui";
import { HandoverCode } from "./HandoverCode";
import { Received } from "./Received";
import { ReportProblem } from "./ReportProblem";
import { namesOf } from "./stage";

const CARD = "grid gap-4 rounded-lg border border-line bg-surface p-5 sm:p-6";

interface Props {
  order: Booking;
  state: "waiting" | "sent";
}

/** The buyer shows the code at a meeting, confirms that the phone is there, or reports a problem. */
export function BuyerSteps({ order, state }: Props) {
  const { _id: id } = order;
  return (
    <div className="grid gap-6">
      <section className={cx(CARD, state === "sent" && "order-last")}>
        <div className="grid gap-1">
          <h3 className="font-bold text-xl wrap-anywhere">{t.meetTitle(namesOf(order).seller)}</h3>
          <p className="text-muted">{t.meetLead}</p>
        </div>
        <HandoverCode id={id} isPrimary={state === "waiting"} />
      </section>
      <section className={CARD}>
        <div className="grid gap-1">
          <h3 className="font-bold text-xl">{t.haveTitle}</h3>
          <p className="text-muted">{t.haveLead}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Received id={id} isPrimary={state === "sent"} />
          <ReportProblem id={id} />
        </div>
      </section>
    </div>
  );
}
