import type { Booking, Seller } from "@/api/types";
import { shortMinute } from "@/texts/dates";
import { product } from "@/texts/layout";
import { dollars } from "@/texts/money";
import * as t from "@/texts/order";
import { type Stage, stageOf } from "./stage";

const STATES: Partial<Record<Stage, string>> = {
  disputed: t.stateDisputed,
  refunding: t.stateRefunding,
  refunded: t.stateRefunded,
};

/** The receipt of a paid order. It is printed in place of the page, see theme.css, and not seen on the screen. */
export function Receipt({ order }: { order: Booking }) {
  const { _id, status, fulfilment, brand, productName, transactionId, seller, bookedAt } = order;
  const rows: [label: string, value: string | undefined][] = [
    [t.orderId, _id],
    [t.paidOn, shortMinute(fulfilment?.paidAt ?? bookedAt)],
    [t.phone, `${productName}, ${brand}`],
    [t.price, dollars(order.price)],
    [t.postage, order.delivery === "send" ? dollars(order.postage) : undefined],
    [t.total, dollars(order.total)],
    [t.delivery, t.deliveries[order.delivery]],
    [t.state, STATES[stageOf(order)] ?? t.statePaid],
    [
      t.refundedOn,
      status === "refunded" && fulfilment?.settledAt ? shortMinute(fulfilment.settledAt) : undefined,
    ],
    [t.transaction, transactionId],
    [t.seller, lineOf(seller)],
    [t.buyer, lineOf({ ...order, name: order.userName })],
  ];
  return (
    <section data-receipt="" className="hidden print:block">
      <p className="font-bold text-2xl">{product}</p>
      <h2 className="mb-6 text-xl">{t.receipt}</h2>
      <dl className="grid grid-cols-[10rem_1fr] gap-y-2 wrap-anywhere">
        {rows.map(
          ([label, value]) =>
            value && (
              <div key={label} className="contents">
                <dt>{label}</dt>
                <dd className="font-semibold">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

const lineOf = ({ name, email, phone, location }: Partial<Seller> = {}) =>
  [name, email, phone, location].filter(Boolean).join(", ");
