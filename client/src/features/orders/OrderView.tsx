import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import type { Booking, Role } from "@/api/types";
import * as t from "@/texts/order";
import * as screenNames from "@/texts/screenNames";
import { Breadcrumbs, Thumbnail } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { Delivery } from "./Delivery";
import { NextStep } from "./NextStep";
import { OrderSteps } from "./OrderSteps";
import { OrderSummary } from "./OrderSummary";
import { OrderTimeline } from "./OrderTimeline";
import { PersonCard } from "./PersonCard";
import { ProblemHistory } from "./ProblemHistory";
import { Receipt } from "./Receipt";

/** The list of which an order is a part, for each side. */
const LISTS: Record<Role, [path: string, name: string]> = {
  buyer: ["/dashboard/myOrders", screenNames.myOrders],
  seller: ["/dashboard/myProducts", screenNames.myProducts],
  admin: ["/dashboard/orders", screenNames.orders],
};

interface Props {
  order: Booking;
  side: Role;
  /** An admin's buttons. */
  decide: (order: Booking) => Elements;
}

/** An order: what happens next and what this side may do; beside it the phone, the other side and the timeline. */
export function OrderView({ order, side, decide }: Props) {
  const [path, name] = LISTS[side];
  const hasPayouts = useConfigQuery().data?.payouts !== "off";
  return (
    <section aria-labelledby="order-title" className="grid gap-5">
      <Breadcrumbs current={order.productName}>
        <Link to={path}>{name}</Link>
      </Breadcrumbs>
      <div className="flex items-center gap-4">
        <Thumbnail product={order} width="w-18" eager />
        <div className="min-w-0 wrap-anywhere">
          <h2 id="order-title" className="font-bold text-2xl">
            {t.titleOf(order.productName, side)}
          </h2>
          <p className="text-muted">{order.brand}</p>
        </div>
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem] xl:grid-rows-[auto_1fr]">
        <div className="grid gap-6">
          <NextStep order={order} side={side} hasPayouts={hasPayouts} />
          <ProblemHistory order={order} />
          <OrderSteps order={order} side={side} decide={decide} />
        </div>
        <div className="grid gap-4 xl:row-span-2">
          <OtherSides order={order} side={side} />
          <Delivery order={order} side={side} />
          <OrderSummary order={order} side={side} />
        </div>
        <OrderTimeline order={order} hasPayouts={hasPayouts} />
      </div>
      {order.fulfilment && <Receipt order={order} />}
    </section>
  );
}

/** A buyer sees the seller, a seller the buyer unless the order was refunded, an admin both; nobody before the payment. */
function OtherSides({ order, side }: Omit<Props, "decide">) {
  const { userName, seller, fulfilment, status } = order;
  if (!fulfilment || (side === "seller" && status === "refunded")) return null;
  return (
    <>
      {side !== "seller" && <PersonCard label={t.seller} person={seller} />}
      {side !== "buyer" && <PersonCard label={t.buyer} person={{ ...order, name: userName }} />}
    </>
  );
}
