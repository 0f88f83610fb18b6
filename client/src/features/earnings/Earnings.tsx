import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import type { Earnings as Sums } from "@/api/types";
import * as t from "@/texts/earnings";
import { cents } from "@/texts/money";
import { EmptyState, ErrorState, Loading, Skeleton, StatCard } from "@/ui";
import { EarningLines } from "./EarningLines";
import { PayoutSetup } from "./PayoutSetup";
import { useEarnings } from "./useEarnings";

/** /dashboard/earnings: what the signed-in seller has earned, and what became of each sale; live. */
export default function Earnings() {
  const { list, isLoading, isFetching, error, retry } = useEarnings();
  const payouts = useConfigQuery().data?.payouts; // the page has it: the screen knows it from the start
  const sums = list?.entities[list.ids[0] ?? ""];
  return (
    <section aria-labelledby="earnings-title" className="grid gap-5">
      <div className="grid gap-1">
        <h2 id="earnings-title" className="font-bold text-2xl">
          {t.title}
        </h2>
        {payouts && <p className="text-muted text-sm">{t.payouts[payouts]}</p>}
      </div>
      {error ? (
        <ErrorState message={error} onRetry={retry} busy={isFetching} />
      ) : (
        <>
          <Figures sums={sums} />
          {sums?.account && <PayoutSetup account={sums.account} />}
          {isLoading && (
            <Loading label={t.loading} onRetry={retry}>
              <Skeleton className="h-64" />
            </Loading>
          )}
        </>
      )}
      {sums?.lines.length === 0 && (
        <EmptyState title={t.empty}>
          <p>{t.emptyHint}</p>
          <Link to="/dashboard/myProducts" className="text-brand underline">
            {t.myProducts}
          </Link>
        </EmptyState>
      )}
      {sums && sums.lines.length > 0 && <EarningLines lines={sums.lines} />}
    </section>
  );
}

function Figures({ sums }: { sums: Sums | undefined }) {
  const isOwing = sums !== undefined && sums.waiting < 0;
  return (
    <dl className="grid gap-3 sm:grid-cols-3">
      <StatCard label={t.earned} value={sums && cents(sums.earned)} note={t.earnedNote} />
      <StatCard
        label={isOwing ? t.owed : t.waiting}
        value={sums && cents(Math.abs(sums.waiting))}
        note={isOwing ? t.owedNote : t.waitingNote}
      />
      <StatCard label={t.paidOut} value={sums && cents(sums.paidOut)} note={t.paidOutNote} />
    </dl>
  );
}
