import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import type { Booking, Role } from "@/api/types";
import * as t from "@/texts/order";
import { buttonClass, Countdown, cx, useAnnounce } from "@/ui";
import { CorrectTracking } from "./CorrectTracking";
import { answerDeadlineOf, headlineOf, type Stage, stageOf } from "./stage";

const TONES: Partial<Record<Stage, string>> = {
  problem: "border-accent bg-accent-soft",
  disputed: "border-accent bg-accent-soft",
  partLost: "border-accent bg-accent-soft",
  released: "border-ok bg-ok-soft",
  paidOut: "border-ok bg-ok-soft",
  over: "border-ok bg-ok-soft",
  refunding: "border-line bg-surface",
  refunded: "border-line bg-surface",
  expired: "border-line bg-surface",
  cancelled: "border-line bg-surface",
};

interface Props {
  order: Booking;
  side: Role;
  /** Whether the market pays its sellers out. */
  hasPayouts: boolean;
}

/** What happens next, who does it, and until when. A live change is announced. */
export function NextStep({ order, side, hasPayouts }: Props) {
  const stage = stageOf(order, hasPayouts);
  const [title, text] = headlineOf(order, side, hasPayouts);
  const heading = useHeadline(title);
  const {
    reason,
    sendBy,
    settlesAt,
    returnBy,
    refundsAt,
    carrier = "",
    tracking = "",
  } = order.fulfilment ?? {};
  const deadline = {
    held: order.holdUntil,
    waiting: sendBy,
    sent: settlesAt,
    received: settlesAt,
    problem: side === "seller" && answerDeadlineOf(order) ? order.fulfilment?.answerBy : undefined,
    returning: returnBy,
    sentBack: refundsAt,
  }[stage as string];
  return (
    <section
      aria-labelledby="next-title"
      className={cx(
        "grid gap-3 rounded-lg border p-5 wrap-anywhere sm:p-6",
        TONES[stage] ?? "border-transparent bg-brand-soft",
      )}
    >
      <h3
        id="next-title"
        ref={heading}
        tabIndex={-1}
        className="scroll-mt-24 font-bold text-2xl outline-none"
      >
        {title}
      </h3>
      <p>{text}</p>
      {stage === "sent" && <p className="font-semibold">{t.sentWith(carrier, tracking)}</p>}
      {stage === "sent" && side === "seller" && (
        <CorrectTracking id={order._id} values={{ carrier, tracking }} />
      )}
      {reason && <p className="whitespace-pre-line">{t.reason(reason)}</p>}
      {deadline && <Countdown until={deadline} className="font-semibold" />}
      {stage === "held" && side === "buyer" && (
        <Link to={`/dashboard/payment/${order._id}`} className={cx(buttonClass(), "justify-self-start")}>
          {t.pay}
        </Link>
      )}
    </section>
  );
}

/** Announces a new headline, and moves the focus to it if the focused control was removed. */
function useHeadline(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const announce = useAnnounce();
  const shown = useRef(title);
  useEffect(() => {
    if (shown.current === title) return;
    shown.current = title;
    announce(title);
    if (document.activeElement === document.body) heading.current?.focus();
  }, [announce, title]);
  return heading;
}
