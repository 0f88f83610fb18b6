import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "react-router-dom";
import type { Earning } from "@/api/types";
import { shortDay } from "@/texts/dates";
import * as t from "@/texts/earnings";
import { cents } from "@/texts/money";
import { Badge, type Column, rowLinkClass, Table } from "@/ui";

const TONES = {
  waiting: "neutral",
  due: "warn",
  paidOut: "ok",
  refunded: "neutral",
  debt: "danger",
  repaid: "neutral",
} as const;

const sum = (amount: number) => <span className="tabular-nums">{cents(amount)}</span>;

/** A share of the price; none where the buyer has the money back. */
const share = ({ state }: Earning, amount: number) =>
  state === "refunded" || state === "repaid" ? "–" : sum(amount);

const columns: Column<Earning>[] = [
  {
    header: t.phone,
    cardSlot: "title",
    cell: ({ bookingID, productName }) => (
      <Link to={`/dashboard/order/${bookingID}`} className={rowLinkClass}>
        {productName}
      </Link>
    ),
  },
  {
    header: t.price,
    width: "w-30",
    cell: ({ price, postage }) => (
      <>
        {sum(price)}
        {postage > 0 && <span className="block text-muted text-sm">{t.plusPostage(cents(postage))}</span>}
      </>
    ),
  },
  { header: t.commission, width: "w-30", cell: (sale) => share(sale, sale.commission) },
  { header: t.net, width: "w-26", cell: (sale) => <strong>{share(sale, sale.net)}</strong> },
  {
    header: t.state,
    width: "w-52",
    cell: ({ state, reference }) => (
      <div className="grid justify-items-start gap-1">
        <Badge tone={TONES[state]}>{t.states[state]}</Badge>
        {reference && <span className="wrap-anywhere text-muted text-sm">{t.reference(reference)}</span>}
      </div>
    ),
  },
  {
    header: t.changed,
    width: "w-32",
    cell: ({ at }) => (
      <time dateTime={at} className="text-sm">
        {shortDay(at)}
      </time>
    ),
  },
];

/** One row a sale, newest first; with ?state= in the address, only those of one figure. */
export function EarningLines({ lines }: { lines: Earning[] }) {
  const [query] = useSearchParams();
  const heading = useRef<HTMLHeadingElement>(null);
  const state = query.get("state");
  const isFiltered = state !== null && Object.hasOwn(t.states, state);
  const rows = isFiltered ? lines.filter((sale) => sale.state === state) : lines;
  useEffect(() => {
    if (isFiltered) heading.current?.focus();
  }, [isFiltered]);
  return (
    <section aria-labelledby="sales-title" className="grid gap-3">
      <h3 id="sales-title" ref={heading} tabIndex={-1} className="pt-2 font-bold text-xl outline-none">
        {isFiltered ? t.captionOf(t.states[state as Earning["state"]]) : t.caption}
      </h3>
      {isFiltered && (
        <Link to="?" className="justify-self-start py-1 text-brand text-sm underline underline-offset-4">
          {t.showAll}
        </Link>
      )}
      {rows.length > 0 ? (
        <Table caption={t.caption} columns={columns} rows={rows} rowKey={({ bookingID }) => bookingID} />
      ) : (
        <p className="text-muted">{t.noneOfState}</p>
      )}
    </section>
  );
}
