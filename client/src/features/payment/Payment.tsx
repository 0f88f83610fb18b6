import { Elements } from "@stripe/react-stripe-js";
import { useEffect, useRef } from "react";
import { Link, useParams } from "react-router-dom";
import type { ApiError } from "@/api/errors";
import { EmptyState, ErrorState, Skeleton, useToast } from "@/ui";
import { CardForm } from "./CardForm";
import { type CardProvider, useCardProvider } from "./cardProvider";
import type { PayableBooking } from "./endpoints";
import { OrderSummary } from "./OrderSummary";
import { Outcome } from "./Outcome";
import { type Shown, shownOf } from "./shown";
import { usePayableBooking } from "./usePayableBooking";
import { type Payment as PaymentUnderWay, usePayment } from "./usePayment";

/** /dashboard/payment/{id}: pays for a booking by card. */
export default function Payment() {
  const { id = "" } = useParams();
  const { booking, error, isFetching, refetch } = usePayableBooking(id);
  if (booking) return <PaymentOf key={id} booking={booking} refetch={refetch} />;
  if (error) return <NoBooking error={error} busy={isFetching} onRetry={refetch} />;
  return <Loading />;
}

function PaymentOf({ booking, refetch }: { booking: PayableBooking; refetch: () => void }) {
  const provider = useCardProvider(booking.status === "held");
  const payment = usePayment({ booking, stripe: provider.stripe, refetch });
  const shown = shownOf(booking, payment.state);
  useCongratulations(shown);
  return (
    <section aria-labelledby="payment-title" className="grid gap-6">
      <div className="grid gap-2">
        <h2 id="payment-title" className="font-bold text-2xl">
          Payment for {booking.productName}
        </h2>
        <p className="min-h-7 text-lg text-muted">
          {(shown.is === "form" || shown.is === "unready") && `Please pay $${booking.price} for your booking`}
        </p>
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[17rem_1fr]">
        <OrderSummary booking={booking} />
        {shown.is === "form" ? (
          <Form provider={provider} payment={payment} />
        ) : (
          <Outcome shown={shown} onRetry={payment.retry} />
        )}
      </div>
    </section>
  );
}

function Form({ provider, payment }: { provider: CardProvider; payment: PaymentUnderWay }) {
  const { state, pay } = payment;
  if (provider.hasFailed) {
    return <ErrorState message="The card form could not be loaded." onRetry={provider.retry} />;
  }
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

/** Once, as the payment of an open screen completes, by whoever's doing. */
function useCongratulations({ is }: Shown) {
  const toast = useToast();
  const before = useRef(is);
  useEffect(() => {
    if (is === "paid" && before.current !== "paid") toast("Congrats! Your Payment Completed");
    before.current = is;
  }, [is, toast]);
}

function NoBooking({ error, busy, onRetry }: { error: ApiError; busy: boolean; onRetry: () => void }) {
  if (error.status !== 403 && error.status !== 404) {
    return <ErrorState message={error.message} busy={busy} onRetry={onRetry} />;
  }
  return (
    <EmptyState title={error.status === 404 ? "There is no such booking" : error.message}>
      <Link to="/dashboard/myOrders" className="text-brand underline">
        Go to My Orders
      </Link>
    </EmptyState>
  );
}

/** The screen's shapes while the order loads. */
function Loading() {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">Loading</span>
      <div className="grid gap-2">
        <Skeleton className="h-8 w-72 max-w-full" />
        <Skeleton className="h-7 w-64 max-w-full" />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[17rem_1fr]">
        <Skeleton className="h-36 rounded-lg lg:h-112" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </div>
  );
}
