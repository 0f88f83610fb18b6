import { Link } from "react-router-dom";
import type { Booking } from "@/api/types";
import * as t from "@/texts/orders";
import { Badge, Button, buttonClass, Countdown } from "@/ui";

/** The words for an order that is over without a sale. */
const ENDED: Partial<Record<Booking["status"], string>> = {
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
  const ended = ENDED[booking.status];
  return (
    // As high and wide whatever the order's state: a pushed change moves nothing.
    <div className="flex min-h-20 flex-wrap content-center items-center gap-2 @4xl:min-h-9 @4xl:w-72">
      {ended && <Badge>{ended}</Badge>}
      {!ended && booking.paid && <Badge tone="ok">{t.paid}</Badge>}
      {!ended && !booking.paid && <Open booking={booking} onCancel={onCancel} />}
    </div>
  );
}

/** A held order: Pay, Cancel and the time left. */
function Open({ booking, onCancel }: Props) {
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
        aria-label={t.cancelFor(booking.productName)}
        onClick={() => onCancel(booking)}
      >
        {t.cancel}
      </Button>
      <Countdown until={booking.holdUntil} />
    </>
  );
}
