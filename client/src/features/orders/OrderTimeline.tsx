import type { Booking } from "@/api/types";
import * as t from "@/texts/order";

type Fulfilment = NonNullable<Booking["fulfilment"]>;

/** What has happened to a paid order, and what happens next. */
export function OrderTimeline({ fulfilment: f }: { fulfilment: Fulfilment }) {
  const steps: [string, string | undefined][] = [
    [t.paid, f.paidAt],
    [t.sent(f.carrier ?? "", f.tracking ?? ""), f.sentAt],
    [f.method === "met" ? t.handedOver : t.received, f.receivedAt],
    [t.problem, f.problemAt],
    [f.outcome === "refund" ? t.refunded : t.completed, f.settledAt],
  ];
  return (
    <section aria-labelledby="timeline-title" className="grid gap-3">
      <h3 id="timeline-title" className="font-bold text-lg">
        {t.timeline}
      </h3>
      <ol className="grid gap-2 border-line border-s-2 ps-4 wrap-anywhere">
        {steps.map(
          ([label, at]) =>
            at && (
              <li key={label}>
                {label}{" "}
                <time dateTime={at} className="text-muted text-sm">
                  {t.at(at)}
                </time>
              </li>
            ),
        )}
      </ol>
      {f.problem && <p className="wrap-anywhere">“{f.problem}”</p>}
      {f.reason && <p className="wrap-anywhere">{t.reason(f.reason)}</p>}
    </section>
  );
}

const NEXT: Record<Fulfilment["state"], string> = {
  waiting: t.nextWaiting,
  sent: t.nextSent,
  received: t.nextReceived,
  problem: t.nextProblem,
  settled: t.nextSettled,
};

/** What happens next, who does it, and until when. */
export function NextStep({ fulfilment: { state, settlesAt } }: { fulfilment: Fulfilment }) {
  return (
    <section aria-labelledby="next-title" className="rounded-lg bg-brand-soft p-4 print:hidden">
      <h3 id="next-title" className="font-bold text-lg">
        {t.next}
      </h3>
      <p role="status">
        {NEXT[state]} {state === "sent" && settlesAt && t.until(settlesAt)}
      </p>
    </section>
  );
}
