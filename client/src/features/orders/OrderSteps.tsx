import type { Booking, Role } from "@/api/types";
import { BuyerSteps } from "./BuyerSteps";
import { Decide } from "./Decide";
import { SellerSteps } from "./SellerSteps";

/** The steps that this side may take now. A correction of the tracking number is in NextStep. */
export function OrderSteps({ order, side }: { order: Booking; side: Role }) {
  const state = order.fulfilment?.state;
  // While a dispute is open, the money is frozen or at the bank: nobody should hand the phone over or decide.
  if (!order.paid || !state || state === "settled" || order.dispute?.state === "open") return null;
  if (side === "admin") return <Decide order={order} />;
  if (state === "problem") return null;
  if (side === "buyer") return <BuyerSteps order={order} state={state} />;
  return state === "received" ? null : <SellerSteps order={order} state={state} />;
}
