import type { Decision } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import { serverNow } from "@/lib/serverTime";
import * as t from "@/texts/decisions";
import { EmptyState, ErrorState, Loading, NextPage, Skeleton, Thumbnail } from "@/ui";
import { DecisionText } from "@/ui/DecisionText";
import { ALL, decisions } from "./endpoints";
import { LookAgain } from "./LookAgain";

/** /dashboard/decisions: what admins have decided about the signed-in person, and why. */
export default function Decisions() {
  const view = useList(decisions, ALL);
  const rows = rowsOf(view.list);
  return (
    <section aria-labelledby="decisions-title" className="grid max-w-3xl gap-5">
      <div className="grid gap-1">
        <h2 id="decisions-title" className="font-bold text-2xl">
          {t.title}
        </h2>
        <p className="text-muted">{t.intro}</p>
      </div>
      {view.isLoading && (
        <Loading label={t.loading} onRetry={view.retry}>
          <Skeleton className="h-60 rounded-lg" />
        </Loading>
      )}
      {view.error && <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />}
      {view.list && rows.length === 0 && <EmptyState title={t.none}>{t.noneHint}</EmptyState>}
      {rows.length > 0 && (
        <ul aria-label={t.title} className="grid gap-4">
          {rows.map((decision) => (
            <li
              key={decision._id}
              className="grid gap-4 rounded-lg border border-line bg-surface p-5 shadow-card sm:p-6"
            >
              <Row decision={decision} />
            </li>
          ))}
        </ul>
      )}
      <NextPage view={view} shown={rows.length} />
    </section>
  );
}

function Row({ decision }: { decision: Decision }) {
  const { target, at, appeal } = decision;
  return (
    <>
      <div className="flex items-start gap-4">
        {target.img && <Thumbnail product={{ img: target.img }} />}
        <div className="grid min-w-0 gap-2">
          <time dateTime={at} className="text-muted text-sm">
            {t.decidedOn(at)}
          </time>
          <DecisionText decision={decision} />
        </div>
      </div>
      {appeal ? <Appealed appeal={appeal} /> : <MayAppeal decision={decision} />}
    </>
  );
}

function Appealed({ appeal: { text, state, words } }: { appeal: NonNullable<Decision["appeal"]> }) {
  return (
    <div className="grid gap-2 border-line border-t pt-4 wrap-anywhere">
      <p className="font-semibold">{t.states[state]}</p>
      {words && (
        <>
          <p className="text-muted text-sm">{t.inWords}</p>
          <blockquote className="border-accent border-s-4 ps-4 whitespace-pre-line">{words}</blockquote>
        </>
      )}
      <p className="text-muted text-sm">{t.youWrote}</p>
      <blockquote className="border-line border-s-4 ps-4 whitespace-pre-line">{text}</blockquote>
    </div>
  );
}

function MayAppeal({ decision }: { decision: Decision }) {
  const isOver = Date.parse(decision.appealBy) <= serverNow();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t pt-4">
      {!isOver && <LookAgain decision={decision} />}
      <p className="text-muted text-sm">{isOver ? t.tooLate : t.until(decision.appealBy)}</p>
    </div>
  );
}
