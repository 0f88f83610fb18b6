import { CardElement, useElements } from "@stripe/react-stripe-js";
import type { StripeCardElement } from "@stripe/stripe-js";
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import * as t from "@/texts/payment";
import { Button, cx, Skeleton } from "@/ui";
import { useCardStyle } from "./useCardStyle";

interface Props {
  /** Whether Pay is enabled. */
  isReady: boolean;
  isSubmitting: boolean;
  isSandbox: boolean;
  /** The error of the last attempt. */
  error: string | null;
  /** Why the card can't be used yet. */
  blocked?: string | undefined;
  onPay: (card: StripeCardElement | null) => void;
}

/** The card field and the Pay button. */
export function CardForm({ isReady, isSubmitting, isSandbox, error, blocked, onPay }: Props) {
  const elements = useElements();
  // The error of the card field: null when its input is valid, undefined if it has not been changed since the last attempt.
  const [fieldError, setFieldError] = useState<string | null>();
  const button = useRef<HTMLButtonElement>(null);
  const blockedId = useId();
  useRestoreFocus(button, isSubmitting);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setFieldError(undefined);
    onPay(elements?.getElement(CardElement) ?? null);
  };
  const message = fieldError === undefined ? error : fieldError;

  return (
    <form onSubmit={submit} noValidate aria-label={t.cardForm} className="grid gap-2">
      <CardField
        isDisabled={isSubmitting || blocked !== undefined}
        isSandbox={isSandbox}
        onError={setFieldError}
      />
      <Button
        ref={button}
        type="submit"
        busy={isSubmitting}
        disabled={!isReady}
        aria-describedby={blocked && blockedId}
        className="mt-3 w-full text-lg"
      >
        {t.pay}
      </Button>
      {/* Below Pay, so that the button is not moved; high enough for two lines. */}
      <div className="min-h-12">
        {blocked && (
          <p id={blockedId} className="text-muted">
            {blocked}
          </p>
        )}
        {message && !blocked && (
          <p role="alert" className="text-danger">
            {message}
          </p>
        )}
      </div>
    </form>
  );
}

interface FieldProps {
  isDisabled: boolean;
  isSandbox: boolean;
  onError: (message: string | null) => void;
}

function CardField({ isDisabled, isSandbox, onError }: FieldProps) {
  const [samples, style] = useCardStyle();
  const [isReady, setReady] = useState(false);
  const options = useMemo(() => ({ style, disabled: isDisabled }), [style, isDisabled]);
  return (
    <div className="grid gap-1.5">
      <p className="font-medium text-sm">{t.card}</p>
      <div
        className={cx(
          "relative rounded-sm border border-edge bg-surface px-3 py-1 has-[.StripeElement--invalid]:border-danger",
          "has-[.StripeElement--focus]:outline-3 has-[.StripeElement--focus]:outline-brand has-[.StripeElement--focus]:outline-offset-2",
          isSandbox ? "min-h-46 pb-2 sm:min-h-31.5" : "min-h-11.5",
        )}
      >
        {!isReady && <Skeleton className="absolute inset-2" />}
        <CardElement
          options={options}
          onReady={() => setReady(true)}
          onChange={({ error }) => onError(error?.message ?? null)}
        />
      </div>
      <span ref={samples} hidden>
        <span className="text-ink" />
        <span className="text-muted" />
        <span className="text-danger" />
      </span>
    </div>
  );
}

/** Returns the focus to the button, which loses it while it is disabled, unless another element has the focus. */
function useRestoreFocus(button: React.RefObject<HTMLButtonElement | null>, isSubmitting: boolean) {
  const wasSubmitting = useRef(false);
  useEffect(() => {
    if (wasSubmitting.current && !isSubmitting && document.activeElement === document.body) {
      button.current?.focus();
    }
    wasSubmitting.current = isSubmitting;
  }, [button, isSubmitting]);
}
