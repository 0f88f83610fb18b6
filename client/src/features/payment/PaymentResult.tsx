import { useEffect, useRef } from "react";
import { Link, useParams } from "react-router-dom";
import type { Booking } from "@/api/types";
import { theSeller } from "@/texts/moneyActions";
import * as t from "@/texts/payment";
import { Button, buttonClass, cx, Trans, useAnnounce } from "@/ui";
import type { Elements } from "@/ui/Elements";
import type { PaymentView } from "./paymentView";

const tones = {
  ok: "border-ok bg-ok-soft",
  danger: "border-danger bg-danger-soft",
  neutral: "border-line bg-surface",
};

interface PanelProps {
  title: string;
  tone?: keyof typeof tones;
  isBusy?: boolean;
  children: Elements;
}

/** A panel in place of the form. */
function Panel({ title, tone = "neutral", isBusy = false, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const announce = useAnnounce();
  useEffect(() => {
    announce(title);
    // The form that had the focus is gone, and what is shown in its place may begin above the window.
    if (document.activeElement === document.body) heading.current?.focus();
  }, [announce, title]);
  return (
    <section aria-busy={isBusy} className={cx("grid gap-3 rounded-lg border p-5 sm:p-6", tones[tone])}>
      {/* Scrolled to, it is below the toast. */}
      <h3
        ref={heading}
        tabIndex={-1}
        className="flex scroll-mt-24 items-center gap-3 font-bold text-xl outline-none"
      >
        {isBusy && (
          <span
            aria-hidden="true"
            className="size-5 shrink-0 animate-spin rounded-full border-3 border-line border-t-brand"
          />
        )}
        <span>{title}</span>
      </h3>
      {children}
    </section>
  );
}

function TransactionId({ id }: { id: string | undefined }) {
  if (!id) return null;
  return (
    <p>
      <Trans
        text={t.transaction}
        values={{ id: <strong className="break-all font-mono text-sm">{id}</strong> }}
      />
    </p>
  );
}

function OrdersLink() {
  return (
    <Link
      to="/dashboard/myOrders"
      className={cx(buttonClass({ variant: "secondary" }), "justify-self-start")}
    >
      {t.toOrders}
    </Link>
  );
}

/** To the page of this order, which says how the buyer gets the phone. */
function OrderLinks() {
  const { id } = useParams();
  return (
    <div className="flex flex-wrap gap-3">
      <Link to={`/dashboard/order/${id}`} className={buttonClass()}>
        {t.toOrder}
      </Link>
      <OrdersLink />
    </div>
  );
}

const ENDED_TEXTS = {
  expired: [t.expired, t.expiredLead],
  cancelled: [t.cancelled, t.cancelledLead],
  closed: [t.closed, t.closedLead],
} as const;

interface ResultProps {
  view: PaymentView;
  booking: Booking;
  onRetry: () => void;
}

/** The content of every view except the form. */
export function PaymentResult({ view, booking, onRetry }: ResultProps) {
  switch (view.kind) {
    case "form":
      return null;
    case "notPayable":
      return <NotPayable {...view} onRetry={onRetry} />;
    case "processing":
      return (
        <Panel title={t.processing} isBusy>
          <p>{t.processingLead}</p>
          <OrdersLink />
        </Panel>
      );
    case "recording":
      return (
        <Panel title={t.recording} isBusy>
          <p>{t.recordingLead}</p>
          <TransactionId id={view.transactionId} />
        </Panel>
      );
    case "unrecorded":
      return <Unrecorded {...view} onRetry={onRetry} />;
    case "paid":
      return (
        <Panel title={t.complete} tone="ok">
          <p>{t.completeLead(booking.seller?.name ?? theSeller)}</p>
          <TransactionId id={view.transactionId} />
          <OrderLinks />
        </Panel>
      );
    case "refunded":
      return (
        <Panel title={t.refunded}>
          <p>{view.message}</p>
          <OrderLinks />
        </Panel>
      );
    case "ended":
      return (
        <Panel title={ENDED_TEXTS[view.reason][0]}>
          <p>{ENDED_TEXTS[view.reason][1]}</p>
          <div className="flex flex-wrap gap-3">
            {view.reason === "closed" && <Button onClick={onRetry}>{t.tryAgain}</Button>}
            <OrdersLink />
          </div>
        </Panel>
      );
  }
}

interface NotPayableProps {
  message: string;
  canRetry: boolean;
  onRetry: () => void;
}

function NotPayable({ message, canRetry, onRetry }: NotPayableProps) {
  return (
    <Panel title={t.notPayable} tone="danger">
      <p role="alert">{message}</p>
      {canRetry && (
        <Button variant="secondary" className="justify-self-start" onClick={onRetry}>
          {t.tryAgain}
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
    <Panel title={t.unrecorded} tone="danger">
      <p role="alert">{message}</p>
      <TransactionId id={transactionId} />
      <p>{t.unrecordedLead}</p>
      <Button variant="secondary" className="justify-self-start" onClick={onRetry}>
        {t.tryAgain}
      </Button>
    </Panel>
  );
}
