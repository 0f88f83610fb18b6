import { Link } from "react-router-dom";
import type { Booking } from "@/api/types";
import * as t from "@/texts/orders";
import { Badge, Button, buttonClass, Countdown } from "@/ui";
import { stageOf } from "./stage";

/** The label of an order that ended without a sale. */
const ENDED_LABELS: Partial<Record<Booking["status"], string>> = {
  expired: t.expired,
  cancelled: t.cancelled,
  refunded: t.refunded,
};

interface Props {
  booking: Booking;
  onCancel: (booking: Booking) => void;
}

/** The payment actions of an order, or its final state. */
export function PaymentCell({ booking, onCancel }: Props) {
  const endedLabel = ENDED_LABELS[booking.status];
  return (
    // The same height and width in every state, so that a live change moves nothing.
    <div className="flex min-h-20 @4xl:min-h-17 @4xl:w-56 flex-wrap content-center items-center gap-x-2 gap-y-1">
      {endedLabel && <Badge>{endedLabel}</Badge>}
      {!endedLabel && booking.paid && (
        <span className="flex w-full flex-wrap items-center gap-x-2">
          <Badge tone="ok">{t.paid}</Badge>
          {booking.fulfilment && <span className="font-medium text-sm">{stageLabel(booking)}</span>}
        </span>
      )}
      {booking.fulfilment && <OrderLink booking={booking} />}
      {!endedLabel && !booking.paid && <OpenOrder booking={booking} onCancel={onCancel} />}
    </div>
  );
}

/** Where the phone of a paid order is. */
function stageLabel(booking: Booking): string | undefined {
  const stage = stageOf(booking);
  return stage === "waiting" ? t.waiting[booking.delivery] : t.stages[stage];
}

/** The link to the page of a paid order. */
function OrderLink({ booking: { _id, productName } }: Pick<Props, "booking">) {
  return (
    <Link
      to={`/dashboard/order/${_id}`}
      aria-label={t.seeOrderOf(productName)}
      className="py-1 font-semibold text-brand text-sm underline underline-offset-4"
    >
      {t.seeOrder}
    </Link>
  );
}

/** An order that can be paid: Pay, Cancel and the time left. */
function OpenOrder({ booking, onCancel }: Props) {
  return (
    <>
      {booking.price > 0 && booking.status === "held" && (
        <Link
          to={`/dashboard/payment/${booking._id}`}
          className={buttonClass({ size: "sm" })}
          title={t.payFor(booking.productName)}
        >
          {t.pay}
        </Link>
      )}
      <Button
        size="sm"
        variant="quiet"
        className="@max-4xl:-ms-3.5 @max-4xl:order-last"
        aria-label={t.cancelFor(booking.productName)}
        onClick={() => onCancel(booking)}
      >
        {t.cancelBooking}
      </Button>
      <Countdown until={booking.holdUntil} />
    </>
  );
}
