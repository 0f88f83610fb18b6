import { Link } from "react-router-dom";
import type { Booking } from "@/api/types";
import { Badge, Button, buttonClass } from "@/ui";
import { TimeLeft } from "./TimeLeft";

/** The words for an order that is over without a sale. */
const ENDED: Partial<Record<Booking["status"], string>> = {
  expired: "Expired",
  cancelled: "Cancelled",
  refunded: "Refunded",
};

interface Props {
  booking: Booking;
  onCancel: (booking: Booking) => void;
}

/** What can be done about an order's payment, or what came of it. */
export function PaymentCell({ booking, onCancel }: Props) {
  const ended = ENDED[booking.status];
  if (ended) return <Badge>{ended}</Badge>;
  if (booking.paid) return <Badge tone="ok">Paid</Badge>;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {booking.price > 0 && booking.status === "held" && (
        <Link
          to={`/dashboard/payment/${booking._id}`}
          className={buttonClass({ size: "sm" })}
          aria-label={`Pay for ${booking.productName}`}
        >
          Pay
        </Link>
      )}
      <Button
        size="sm"
        variant="quiet"
        aria-label={`Cancel the booking of ${booking.productName}`}
        onClick={() => onCancel(booking)}
      >
        Cancel
      </Button>
      <TimeLeft until={booking.holdUntil} />
    </div>
  );
}
