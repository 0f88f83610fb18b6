import { Elements } from "@stripe/react-stripe-js";
import * as t from "@/texts/payment";
import { ErrorState, Skeleton } from "@/ui";
import { CardForm } from "./CardForm";
import type { CardProvider } from "./cardProvider";
import type { Payment } from "./usePayment";

interface Props {
  provider: CardProvider;
  payment: Payment;
  /** Whether it is clear how the buyer gets the phone. */
  hasDelivery: boolean;
  /** The address is asked for. */
  needsAddress: boolean;
}

/** The card form. It can't be used until it is clear what the buyer pays, and for which delivery. */
export function PaymentForm({ provider, payment, hasDelivery, needsAddress }: Props) {
  const { state, pay } = payment;
  if (provider.hasFailed) {
    return <ErrorState message={t.cardFormFailed} onRetry={provider.retry} />;
  }
  if (provider.isSandbox === undefined) return <FormSkeleton />;
  return (
    <div className="rounded-lg border border-line bg-surface p-5 shadow-card sm:p-6">
      <Elements stripe={provider.stripe}>
        <CardForm
          isReady={state.phase === "idle" && provider.stripe !== null && hasDelivery}
          isSubmitting={state.phase === "submitting"}
          isSandbox={provider.isSandbox}
          error={state.phase === "idle" ? state.error : null}
          blocked={needsAddress ? t.addressFirst : undefined}
          onPay={pay}
        />
      </Elements>
    </div>
  );
}

/** As high as the form with the sandbox's test cards, which is the higher one. */
export const FormSkeleton = () => <Skeleton className="h-93 rounded-lg sm:h-81" />;
