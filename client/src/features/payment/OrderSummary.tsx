import type { Booking } from "@/api/types";
import * as t from "@/texts/payment";
import { Badge, Countdown, Picture } from "@/ui";
import type { PaymentView } from "./paymentView";

interface Props {
  booking: Booking;
  /** The state of the payment, which may be newer than the booking. */
  shown: PaymentView["is"];
}

/** What is being paid for, what it costs, and until when it is kept. */
export function OrderSummary({ booking, shown }: Props) {
  const { productName, brand, img, price } = booking;
  return (
    <section
      aria-label={t.yourBooking}
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
          <dt className="sr-only">{t.phone}</dt>
          <dd className="font-bold font-display text-xl leading-tight">{productName}</dd>
          <dt className="sr-only">{t.brand}</dt>
          <dd className="text-muted">{brand}</dd>
        </div>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-t pt-3">
          <dt className="text-muted">{t.price}</dt>
          <dd className="font-bold font-display text-2xl tabular-nums">{t.amount(price)}</dd>
        </div>
        {/* As high whatever the order's state: a pushed change moves nothing. */}
        <div className="flex min-h-6 items-center justify-between gap-4 max-sm:justify-end">
          <Standing booking={booking} shown={shown} />
        </div>
      </dl>
    </section>
  );
}

/** Until when the phone is kept, while there is something to pay; then what became of it. */
function Standing({ booking: { status, holdUntil }, shown }: Props) {
  const words = { paid: t.paid, refunded: t.refunded, recording: t.charged, unrecorded: t.charged };
  if (shown === "paid" || shown === "refunded" || shown === "recording" || shown === "unrecorded") {
    return (
      <>
        <dt className="text-muted text-sm max-sm:sr-only">{t.payment}</dt>
        <dd>
          <Badge tone={shown === "refunded" ? "neutral" : "ok"}>{words[shown]}</Badge>
        </dd>
      </>
    );
  }
  if (status !== "held" || shown === "processing" || shown === "ended") return null;
  return (
    <>
      <dt className="text-muted text-sm max-sm:sr-only">{t.kept}</dt>
      <dd>
        <Countdown until={holdUntil} />
      </dd>
    </>
  );
}
