import type { Booking } from "@/api/types";
import { shortMinute } from "@/texts/dates";
import * as t from "@/texts/order";
import { cx } from "@/ui";
import { type TimelineStep, timelineOf } from "./timeline";

/** What has happened to an order, and what is still to come. */
export function OrderTimeline({ order, hasPayouts }: { order: Booking; hasPayouts: boolean }) {
  const steps = timelineOf(order, hasPayouts);
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section aria-labelledby="timeline-title" className="grid gap-4">
      <h3 id="timeline-title" className="font-bold text-xl">
        {t.timeline}
      </h3>
      <ol>
        {steps.map((step, index) => (
          <Step
            key={step.label}
            step={step}
            isCurrent={index === current}
            isLast={index === steps.length - 1}
          />
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  step: TimelineStep;
  isCurrent: boolean;
  isLast: boolean;
}

function Step({ step: { label, isDone, at, detail }, isCurrent, isLast }: StepProps) {
  return (
    <li aria-current={isCurrent ? "step" : undefined} className="relative flex gap-4 pb-5 wrap-anywhere">
      {!isLast && <span aria-hidden="true" className="absolute start-2.25 top-6 bottom-0 w-0.5 bg-line" />}
      <span
        aria-hidden="true"
        className={cx(
          "mt-1 size-5 shrink-0 rounded-full border-2",
          isDone ? "border-transparent bg-brand" : isCurrent ? "border-brand border-dashed" : "border-line",
        )}
      />
      <div className="min-w-0">
        <p className={cx(isDone || isCurrent ? "font-semibold" : "text-muted")}>
          <span>{label}</span> {!isDone && <span className="sr-only">{t.stillToCome}</span>}
        </p>
        {at && (
          <time dateTime={at} className="block text-muted text-sm">
            {shortMinute(at)}
          </time>
        )}
        {detail && <p className="text-sm">{detail}</p>}
      </div>
    </li>
  );
}
