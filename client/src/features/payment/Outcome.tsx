import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { Button, buttonClass, cx, useAnnounce } from "@/ui";
import type { Shown } from "./shown";

const tones = {
  ok: "border-ok bg-ok-soft",
  danger: "border-danger bg-danger-soft",
  neutral: "border-line bg-surface",
};

interface PanelProps {
  title: string;
  tone?: keyof typeof tones;
  isBusy?: boolean;
  children: ReactNode;
}

/** What became of the payment, in the place of the form. */
function Panel({ title, tone = "neutral", isBusy = false, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const announce = useAnnounce();
  useEffect(() => {
    announce(title);
    // Whoever was in the form would have to start from the top of the page again.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [announce, title]);
  return (
    <section aria-busy={isBusy} className={cx("grid gap-3 rounded-lg border p-5 sm:p-6", tones[tone])}>
      <h3 ref={heading} tabIndex={-1} className="flex items-center gap-3 font-bold text-xl outline-none">
        {isBusy && (
          <span
            aria-hidden="true"
            className="size-5 shrink-0 animate-spin rounded-full border-3 border-line border-t-brand"
          />
        )}
        {title}
      </h3>
      {children}
    </section>
  );
}

function TransactionId({ id }: { id: string | undefined }) {
  if (!id) return null;
  return (
    <p>
      Transaction id: <strong className="break-all font-mono text-sm">{id}</strong>
    </p>
  );
}

function OrdersLink() {
  return (
    <Link
      to="/dashboard/myOrders"
      className={cx(buttonClass({ variant: "secondary" }), "justify-self-start")}
    >
      Go to My Orders
    </Link>
  );
}

const ENDED = {
  expired: ["The time to pay is over", "This booking was not paid in time, so the phone is free again."],
  cancelled: ["This booking was cancelled", "The phone is free again, and there is nothing to pay."],
  closed: [
    "This payment was cancelled",
    "Your card was not charged. If the phone is still kept for you, try again.",
  ],
} as const;

/** Everything but the form. */
export function Outcome({ shown, onRetry }: { shown: Shown; onRetry: () => void }) {
  switch (shown.is) {
    case "form":
      return null;
    case "unready":
      return <Unready {...shown} onRetry={onRetry} />;
    case "processing":
      return (
        <Panel title="Your payment is being processed" isBusy>
          <p>You need not pay again. This page says so as soon as it is through; you may also leave it.</p>
          <OrdersLink />
        </Panel>
      );
    case "recording":
      return (
        <Panel title="Your card was charged; we are recording the payment" isBusy>
          <p>You need not pay again. It is recorded even if you leave this page.</p>
          <TransactionId id={shown.transactionId} />
        </Panel>
      );
    case "unrecorded":
      return <Unrecorded {...shown} onRetry={onRetry} />;
    case "paid":
      return (
        <Panel title="Your payment is complete" tone="ok">
          <p>The phone is yours. The seller has your contact details and will be in touch.</p>
          <TransactionId id={shown.transactionId} />
          <OrdersLink />
        </Panel>
      );
    case "refunded":
      return (
        <Panel title="Refunded">
          <p>{shown.message}</p>
          <OrdersLink />
        </Panel>
      );
    case "ended":
      return (
        <Panel title={ENDED[shown.why][0]}>
          <p>{ENDED[shown.why][1]}</p>
          <div className="flex flex-wrap gap-3">
            {shown.why === "closed" && <Button onClick={onRetry}>Try again</Button>}
            <OrdersLink />
          </div>
        </Panel>
      );
  }
}

interface UnreadyProps {
  message: string;
  canRetry: boolean;
  onRetry: () => void;
}

function Unready({ message, canRetry, onRetry }: UnreadyProps) {
  return (
    <Panel title="This booking can't be paid right now" tone="danger">
      <p role="alert">{message}</p>
      {canRetry && (
        <Button variant="secondary" className="justify-self-start" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Panel>
  );
}

interface UnrecordedProps {
  transactionId: string;
  message: string;
  onRetry: () => void;
}

function Unrecorded({ transactionId, message, onRetry }: UnrecordedProps) {
  return (
    <Panel title="Your card was charged, but the payment could not be recorded" tone="danger">
      <p role="alert">{message}</p>
      <TransactionId id={transactionId} />
      <p>You need not pay again. Keep the transaction id until My Orders shows the phone as paid.</p>
      <Button variant="secondary" className="justify-self-start" onClick={onRetry}>
        Try again
      </Button>
    </Panel>
  );
}
