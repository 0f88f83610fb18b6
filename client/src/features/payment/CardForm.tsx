import { CardElement, useElements } from "@stripe/react-stripe-js";
import type { StripeCardElement } from "@stripe/stripe-js";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import * as t from "@/texts/payment";
import { Button, cx, Skeleton } from "@/ui";
import { useCardStyle } from "./useCardStyle";

interface Props {
  /** Pay may be pressed. */
  isReady: boolean;
  isSubmitting: boolean;
  isSandbox: boolean;
  /** What came of the last attempt. */
  error: string | null;
  onPay: (card: StripeCardElement | null) => void;
}

/** The card field and Pay. */
export function CardForm({ isReady, isSubmitting, isSandbox, error, onPay }: Props) {
  const elements = useElements();
  // What the field says of the card; null once it says nothing, undefined while it is not typed in.
  const [typing, setTyping] = useState<string | null>();
  const button = useRef<HTMLButtonElement>(null);
  useFocusBack(button, isSubmitting);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setTyping(undefined);
    onPay(elements?.getElement(CardElement) ?? null);
  };
  const problem = typing === undefined ? error : typing;

  return (
    <form onSubmit={submit} noValidate aria-label={t.cardForm} className="grid gap-2">
      <CardField isDisabled={isSubmitting} isSandbox={isSandbox} onProblem={setTyping} />
      <Button
        ref={button}
        type="submit"
        busy={isSubmitting}
        disabled={!isReady}
        className="mt-3 w-full text-lg"
      >
        {t.pay}
      </Button>
      {/* Under Pay, which so is never pushed away under the finger; and as high as most of what is said here. */}
      <div className="min-h-12">
        {problem && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
      </div>
    </form>
  );
}

interface FieldProps {
  isDisabled: boolean;
  isSandbox: boolean;
  onProblem: (message: string | null) => void;
}

function CardField({ isDisabled, isSandbox, onProblem }: FieldProps) {
  const [samples, style] = useCardStyle();
  const [isThere, setThere] = useState(false);
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
        {!isThere && <Skeleton className="absolute inset-2" />}
        <CardElement
          options={options}
          onReady={() => setThere(true)}
          onChange={({ error }) => onProblem(error?.message ?? null)}
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

/** A button that was disabled while it worked has lost the focus; it gets it back unless something else took it. */
function useFocusBack(button: React.RefObject<HTMLButtonElement | null>, isSubmitting: boolean) {
  const wasSubmitting = useRef(false);
  useEffect(() => {
    if (wasSubmitting.current && !isSubmitting && document.activeElement === document.body) {
      button.current?.focus();
    }
    wasSubmitting.current = isSubmitting;
  }, [button, isSubmitting]);
}
