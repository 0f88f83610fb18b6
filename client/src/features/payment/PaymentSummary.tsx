import type { Booking } from "@/api/types";
import * as t from "@/texts/payment";
import { Badge, Countdown, cx, Picture } from "@/ui";
import type { PaymentView } from "./paymentView";

interface Props {
  booking: Booking;
  /** The state of the payment, which may be newer than the booking. */
  view: PaymentView["kind"];
}

/** The phone, what it costs and the time left to pay. */
export function PaymentSummary({ booking, view }: Props) {
  const { productName, brand, img } = booking;
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
        <Sums booking={booking} />
        {/* The same height in every state, so that a live change moves nothing. */}
        <div className="flex min-h-6 items-center justify-between gap-4 max-sm:justify-end">
          <PaymentStatus booking={booking} view={view} />
        </div>
      </dl>
    </section>
  );
}

/** The price, and the postage and the total if there may be postage: then their rows stay when the choice changes. */
function Sums({ booking: { delivers, price, sendPostage, postage, total } }: Pick<Props, "booking">) {
  const hasPostage = delivers !== "meet" && sendPostage > 0;
  return (
    <>
      {hasPostage && (
        <>
          <Sum label={t.price} isFirst>
            {t.amount(price)}
          </Sum>
          <Sum label={t.postage}>{postage > 0 ? t.amount(postage) : t.noPostage}</Sum>
        </>
      )}
      <Sum label={hasPostage ? t.total : t.price} isFirst={!hasPostage} isStrong>
        {t.amount(total)}
      </Sum>
    </>
  );
}

interface SumProps {
  label: string;
  isFirst?: boolean;
  isStrong?: boolean;
  children: string;
}

function Sum({ label, isFirst = false, isStrong = false, children }: SumProps) {
  return (
    <div
      className={cx(
        "flex flex-wrap items-baseline justify-between gap-x-4",
        isFirst && "border-line border-t pt-3",
      )}
    >
      <dt className="text-muted">{label}</dt>
      <dd className={cx("tabular-nums", isStrong && "font-bold font-display text-2xl")}>{children}</dd>
    </div>
  );
}

/** The time left while the order can be paid; then the result. */
function PaymentStatus({ booking: { status, holdUntil }, view }: Props) {
  const labels = { paid: t.paid, refunded: t.refunded, recording: t.charged, unrecorded: t.charged };
  if (view === "paid" || view === "refunded" || view === "recording" || view === "unrecorded") {
    return (
      <>
        <dt className="text-muted text-sm max-sm:sr-only">{t.payment}</dt>
        <dd>
          <Badge tone={view === "refunded" ? "neutral" : "ok"}>{labels[view]}</Badge>
        </dd>
      </>
    );
  }
  if (status !== "held" || view === "processing" || view === "ended") return null;
  return (
    <>
      <dt className="text-muted text-sm max-sm:sr-only">{t.heldForYou}</dt>
      <dd>
        <Countdown until={holdUntil} />
      </dd>
    </>
  );
}
