import type { Booking } from "@/api/types";
import { Picture, TimeLeft } from "@/ui";

interface Props {
  booking: Booking;
  /** Paid or refunded, though the booking may not say it yet. */
  isOver: boolean;
}

/** What is being paid for, what it costs, and until when it is kept. */
export function OrderSummary({ booking, isOver }: Props) {
  const { productName, brand, img, price, status, holdUntil } = booking;
  return (
    <section
      aria-label="Your booking"
      className="grid content-start gap-5 rounded-lg border border-line bg-surface p-4 shadow-card max-lg:grid-cols-[6rem_1fr] sm:p-5"
    >
      <Picture
        src={img}
        alt={productName}
        eager
        className="w-full rounded-md max-lg:w-24 lg:p-4"
        imgClassName="animate-arrive"
      />
      <dl className="grid content-start gap-x-4 gap-y-3">
        <div>
          <dt className="sr-only">Phone</dt>
          <dd className="font-bold font-display text-xl leading-tight">{productName}</dd>
          <dt className="sr-only">Brand</dt>
          <dd className="text-muted">{brand}</dd>
        </div>
        <div className="flex items-baseline justify-between gap-4 border-line border-t pt-3">
          <dt className="text-muted">Price</dt>
          <dd className="font-bold font-display text-2xl tabular-nums">${price}</dd>
        </div>
        {/* As high whatever the order's state: a pushed change moves nothing. */}
        <div className="flex min-h-6 items-baseline justify-between gap-4">
          {status === "held" && !isOver && (
            <>
              <dt className="text-muted text-sm max-sm:sr-only">Kept for you</dt>
              <dd>
                <TimeLeft until={holdUntil} />
              </dd>
            </>
          )}
        </div>
      </dl>
    </section>
  );
}
