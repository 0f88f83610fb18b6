import { useEffect, useRef } from "react";
import { Link, useParams } from "react-router-dom";
import type { ApiError } from "@/api/errors";
import type { Booking } from "@/api/types";
import * as t from "@/texts/payment";
import { dashboard, myOrders } from "@/texts/screenNames";
import { Breadcrumbs, EmptyState, ErrorState, Skeleton, useTitle, useToast } from "@/ui";
import { useCardProvider } from "./cardProvider";
import { DeliverySection } from "./DeliverySection";
import { FormSkeleton, PaymentForm } from "./PaymentForm";
import { PaymentResult } from "./PaymentResult";
import { PaymentSummary } from "./PaymentSummary";
import { type PaymentView, paymentView } from "./paymentView";
import { StableHeight } from "./StableHeight";
import { useDelivery } from "./useDelivery";
import { usePayableBooking } from "./usePayableBooking";
import { usePayment } from "./usePayment";

/** /dashboard/payment/{id}: pays for a booking by card. */
export default function Payment() {
  const { id = "" } = useParams();
  const { booking, error, isFetching, refetch } = usePayableBooking(id);
  return (
    <div className="grid gap-4">
      <Breadcrumbs current={t.title}>
        <Link to="/dashboard">{dashboard}</Link>
        <Link to="/dashboard/myOrders">{myOrders}</Link>
      </Breadcrumbs>
      {booking && <BookingPayment key={id} booking={booking} refetch={refetch} />}
      {!booking && error && <BookingError error={error} busy={isFetching} onRetry={refetch} />}
      {!booking && !error && <Loading />}
    </div>
  );
}

function BookingPayment({ booking, refetch }: { booking: Booking; refetch: () => void }) {
  const provider = useCardProvider(booking.status === "held");
  const payment = usePayment({ booking, stripe: provider.stripe, refetch });
  const delivery = useDelivery(booking);
  useTitle(t.heading(booking.productName));
  const view = paymentView(booking, payment.state);
  useSuccessToast(view);
  const isOpen = view.kind === "form" || view.kind === "notPayable";
  return (
    <section aria-labelledby="payment-title" className="grid gap-6">
      <div className="grid gap-2">
        <h2 id="payment-title" className="font-bold text-2xl">
          {t.heading(booking.productName)}
        </h2>
        <p className="text-lg text-muted">{subtitle(view, booking.total)}</p>
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[17rem_1fr]">
        <PaymentSummary booking={booking} view={view.kind} />
        <StableHeight name={isOpen ? "open" : view.kind}>
          {isOpen && (
            <DeliverySection
              booking={booking}
              controls={delivery}
              isLocked={payment.state.phase === "submitting"}
            />
          )}
          <StableHeight name={view.kind}>
            {view.kind === "form" ? (
              <PaymentForm
                provider={provider}
                payment={payment}
                hasDelivery={delivery.isComplete}
                needsAddress={delivery.showsForm}
              />
            ) : (
              <PaymentResult view={view} booking={booking} onRetry={payment.retry} />
            )}
          </StableHeight>
        </StableHeight>
      </div>
    </section>
  );
}

/** The text under the heading; the spec's text while the order can be paid. */
function subtitle({ kind }: PaymentView, total: number): string {
  if (kind === "form" || kind === "notPayable") return t.pleasePay(total);
  return kind === "paid" ? t.youPaid(total) : t.yourBookingAt(total);
}

/** Shows a toast when the payment completes while the screen is open, also if it was made in another tab. */
function useSuccessToast({ kind }: PaymentView) {
  const toast = useToast();
  const previous = useRef(kind);
  useEffect(() => {
    if (kind === "paid" && previous.current !== "paid") toast(t.congratulations);
    previous.current = kind;
  }, [kind, toast]);
}

function BookingError({ error, busy, onRetry }: { error: ApiError; busy: boolean; onRetry: () => void }) {
  const isPermanent = error.status === 403 || error.status === 404;
  return (
    <section aria-labelledby="payment-title" className="grid gap-6">
      <h2 id="payment-title" className="font-bold text-2xl">
        {t.title}
      </h2>
      {isPermanent ? (
        <EmptyState title={error.status === 404 ? t.bookingNotFound : error.message}>
          <Link to="/dashboard" className="text-brand underline">
            {t.toDashboard}
          </Link>
        </EmptyState>
      ) : (
        <ErrorState message={error.message} busy={busy} onRetry={onRetry} />
      )}
    </section>
  );
}

/** The skeleton of the screen. */
function Loading() {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">{t.loading}</span>
      <div className="grid gap-2">
        <Skeleton className="h-8 w-72 max-w-full" />
        <Skeleton className="h-7 w-64 max-w-full" />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[17rem_1fr]">
        <Skeleton className="h-44.5 rounded-lg lg:h-109" />
        <div className="grid gap-6">
          <Skeleton className="h-52 rounded-lg" />
          <FormSkeleton />
        </div>
      </div>
    </div>
  );
}
