import type { Booking, Role } from "@/api/types";
import * as t from "@/texts/order";
import type { Elements } from "@/ui/Elements";
import { BuyerSteps } from "./BuyerSteps";
import { DisputeAnswer } from "./DisputeAnswer";
import { BuyerReturns, SellerAnswers, SellerChecks, SellerMeets } from "./ReturnSteps";
import { SellerSteps } from "./SellerSteps";
import { StepHead, stepCardClass } from "./StepCard";

interface Props {
  order: Booking;
  side: Role;
  /** An admin's buttons. */
  decide: (order: Booking) => Elements;
}

/** The steps that this side may take now. A correction of the tracking number is in NextStep. */
export function OrderSteps({ order, side, decide }: Props) {
  const state = order.fulfilment?.state;
  if (side === "admin" && order.dispute?.state === "open") {
    return <DisputeAnswer id={order._id} dispute={order.dispute} />;
  }
  // While a dispute is open, the money is frozen or at the bank: nobody should hand the phone over or decide.
  if (!order.paid || !state || state === "settled" || order.dispute?.state === "open") return null;
  if (side === "admin") {
    return (
      <div className={stepCardClass}>
        <StepHead title={t.decideTitle} lead={t.decideLead} />
        {decide(order)}
      </div>
    );
  }
  if (side === "buyer") {
    if (state === "returning") return <BuyerReturns order={order} />;
    return state === "problem" || state === "sentBack" ? null : <BuyerSteps order={order} state={state} />;
  }
  switch (state) {
    case "problem":
      return order.fulfilment?.answer ? null : <SellerAnswers order={order} />;
    case "returning":
      return <SellerMeets order={order} />;
    case "sentBack":
      return <SellerChecks order={order} />;
    case "received":
      return null;
    default:
      return <SellerSteps order={order} state={state} />;
  }
}
