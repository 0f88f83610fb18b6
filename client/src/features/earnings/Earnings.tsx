import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import type { Earnings as Sums } from "@/api/types";
import * as t from "@/texts/earnings";
import { cents } from "@/texts/money";
import { cx, EmptyState, ErrorState, Loading, Skeleton, StatCard } from "@/ui";
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

/** Each figure is one part of the money, with a link to its sales. */
const FIGURES = [
  ["waiting", "handover"],
  ["due", "due"],
  ["paidOut", "paidOut"],
] as const;

function Figures({ sums }: { sums: Sums | undefined }) {
  const owed = sums?.lines.reduce((sum, { state, net }) => sum + (state === "debt" ? net : 0), 0);
  return (
    <dl className={cx("grid gap-3", owed ? "sm:grid-cols-2 xl:grid-cols-4" : "sm:grid-cols-3")}>
      {FIGURES.map(([state, field]) => (
        <Figure key={state} state={state} value={sums && cents(sums[field])} />
      ))}
      {owed ? <Figure state="debt" value={cents(owed)} /> : null}
    </dl>
  );
}

function Figure({ state, value }: { state: keyof typeof t.figures; value: string | undefined }) {
  const { label, note, link } = t.figures[state];
  return (
    <StatCard
      label={label}
      value={value}
      note={note}
      link={
        <Link to={`?state=${state}`} className="py-1 text-brand text-sm underline underline-offset-4">
          {link}
        </Link>
      }
    />
  );
}
