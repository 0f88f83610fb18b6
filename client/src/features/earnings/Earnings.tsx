import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import * as t from "@/texts/earnings";
import { cents } from "@/texts/money";
import { cx, EmptyState, ErrorState, Loading, Skeleton } from "@/ui";
import { EarningLines } from "./EarningLines";
import { Figure, Figures } from "./Figures";
import { PayoutSetup } from "./PayoutSetup";
import { useEarnings } from "./useEarnings";

/** /dashboard/earnings: what the signed-in seller has earned, and what became of each sale; live. */
export default function Earnings() {
  const { list, isLoading, isFetching, error, retry } = useEarnings();
  const payouts = useConfigQuery().data?.payouts; // the page has it: the screen knows it from the start
  const sums = list?.entities[list.ids[0] ?? ""];
  const owed = sums?.lines.reduce((sum, { state, net }) => sum + (state === "debt" ? net : 0), 0);
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
          <dl className={cx("grid gap-3", owed ? "sm:grid-cols-2 xl:grid-cols-4" : "sm:grid-cols-3")}>
            <Figures sums={sums} />
            {owed ? <Figure state="debt" value={cents(owed)} /> : null}
          </dl>
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
