import type { ComponentProps } from "react";
import type { Booking } from "@/api/types";
import { sentWith } from "@/texts/order";
import * as t from "@/texts/orderProblems";
import { Statement } from "./Statement";
import { StepHead, stepCardClass } from "./StepCard";
import { answerDeadlineOf, namesOf } from "./stage";

type Said = ComponentProps<typeof Statement>;

/** What both sides have said about a problem of an order, and the return of the phone, in the order of time. */
export function ProblemHistory({ order }: { order: Booking }) {
  const all = statementsOf(order);
  const awaited = awaitedAnswer(order);
  if (all.length === 0) return null;
  return (
    <section aria-label={t.history} className={stepCardClass}>
      <StepHead title={t.history} />
      {all.map((said) => (
        <Statement key={said.title} {...said} />
      ))}
      {awaited && <p className="text-muted">{awaited}</p>}
    </section>
  );
}

function statementsOf(order: Booking): Said[] {
  const { seller, buyer } = namesOf(order);
  const { fulfilment } = order;
  if (!fulfilment?.problem && !fulfilment?.problemAt) return [];
  const { problem, problemAt, settledAt, category, photos, answer, return: sentBack, objection } = fulfilment;
  // The words of a seller who cancelled are in the same field.
  if (!problemAt) return [{ title: t.cancelledBy(seller), at: settledAt, text: problem }];
  const said: Said[] = [
    {
      // A problem without a category is not the buyer's: one side has left.
      title: category ? t.problemBy(buyer) : t.problem,
      at: problemAt,
      summary: category && t.categories[category],
      text: problem,
      photos,
      altOf: t.photoOf.problem,
    },
  ];
  if (answer) said.push({ title: t.answerOf(seller), ...answer, altOf: t.photoOf.answer });
  if (sentBack) {
    const { at, carrier, tracking } = sentBack;
    said.push({ title: t.returnedBy(buyer), at, summary: sentWith(carrier, tracking) });
  }
  if (objection) said.push({ title: t.objectionOf(seller), ...objection, altOf: t.photoOf.objection });
  return said.sort((a, b) => Date.parse(a.at ?? "") - Date.parse(b.at ?? ""));
}

/** That the seller has not answered the problem; "" if they have, or if nobody waits for it. */
function awaitedAnswer(order: Booking): string {
  const { state, answer, late } = order.fulfilment ?? {};
  if (state !== "problem" || answer) return "";
  const { seller } = namesOf(order);
  if (late) return t.lateAnswer(seller);
  const until = answerDeadlineOf(order);
  return until && t.noAnswer(seller, until);
}
