import { Elements } from "@stripe/react-stripe-js";
import { useEffect, useRef } from "react";
import { Link, useParams } from "react-router-dom";
import type { ApiError } from "@/api/errors";
import type { Booking } from "@/api/types";
import * as t from "@/texts/payment";
import { dashboard, myOrders } from "@/texts/screenNames";
import { Breadcrumbs, EmptyState, ErrorState, Skeleton, useTitle, useToast } from "@/ui";
import { CardForm } from "./CardForm";
import { type CardProvider, useCardProvider } from "./cardProvider";
import { PaymentResult } from "./PaymentResult";
import { PaymentSummary } from "./PaymentSummary";
import { type PaymentView, paymentView } from "./paymentView";
import { StableHeight } from "./StableHeight";
import { usePayableBooking } from "./usePayableBooking";
import { type Payment as PaymentControls, usePayment } from "./usePayment";

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
  useTitle(t.heading(booking.productName));
  const view = paymentView(booking, payment.state);
  useSuccessToast(view);
  return (
    <section aria-labelledby="payment-title" className="grid gap-6">
      <div className="grid gap-2">
        <h2 id="payment-title" className="font-bold text-2xl">
          {t.heading(booking.productName)}
        </h2>
        <p className="text-lg text-muted">{subtitle(view, booking.price)}</p>
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[17rem_1fr]">
        <PaymentSummary booking={booking} view={view.kind} />
        <StableHeight name={view.kind}>
          {view.kind === "form" ? (
            <Form provider={provider} payment={payment} />
          ) : (
            <PaymentResult view={view} onRetry={payment.retry} />
          )}
        </StableHeight>
      </div>
    </section>
  );
}

/** The text under the heading; the spec's text while the order can be paid. */
function subtitle({ kind }: PaymentView, price: number): string {
  if (kind === "form" || kind === "notPayable") return t.pleasePay(price);
  return kind === "paid" ? t.youPaid(price) : t.yourBookingAt(price);
}

function Form({ provider, payment }: { provider: CardProvider; payment: PaymentControls }) {
  const { state, pay } = payment;
  if (provider.hasFailed) {
    return <ErrorState message={t.cardFormFailed} onRetry={provider.retry} />;
  }
  if (provider.isSandbox === undefined) return <FormSkeleton />;
  return (
    <div className="rounded-lg border border-line bg-surface p-5 shadow-card sm:p-6">
      <Elements stripe={provider.stripe}>
        <CardForm
          isReady={state.phase === "idle" && provider.stripe !== null}
          isSubmitting={state.phase === "submitting"}
          isSandbox={provider.isSandbox}
          error={state.phase === "idle" ? state.error : null}
          onPay={pay}
        />
      </Elements>
    </div>
  );
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

/** As high as the form with the sandbox's test cards, which is the higher one. */
const FormSkeleton = () => <Skeleton className="h-93 rounded-lg sm:h-81" />;

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
        <FormSkeleton />
      </div>
    </div>
  );
}
