import { Link } from "react-router-dom";
import type { Earnings } from "@/api/types";
import * as t from "@/texts/earnings";
import { cents } from "@/texts/money";
import { DeskNumber, StatCard } from "@/ui";
import { SUMS } from "./endpoints";
import { useEarnings } from "./useEarnings";

/** Each figure is one part of the money, with a link to its sales. */
const FIGURES = [
  ["waiting", "handover"],
  ["due", "due"],
  ["paidOut", "paidOut"],
] as const;

/** Where the seller's money is, as StatCards. */
export function Figures({ sums }: { sums: Pick<Earnings, "handover" | "due" | "paidOut"> | undefined }) {
  return FIGURES.map(([state, field]) => (
    <Figure key={state} state={state} value={sums && cents(sums[field])} />
  ));
}

interface Props {
  state: keyof typeof t.figures;
  /** Undefined while loading. */
  value: string | undefined;
}

export function Figure({ state, value }: Props) {
  const { label, note, link } = t.figures[state];
  return (
    <StatCard
      label={label}
      value={value}
      note={note}
      link={
        <Link
          to={`/dashboard/earnings?state=${state}`}
          className="py-1 text-brand text-sm underline underline-offset-4"
        >
          {link}
        </Link>
      }
    />
  );
}

/** The same figures for the seller's dashboard, which needs no sales. */
export function DeskFigures() {
  const { list } = useEarnings(SUMS);
  const sums = list?.entities[list.ids[0] ?? ""];
  return FIGURES.map(([state, field]) => (
    <DeskNumber key={state} label={t.figures[state].label} value={sums && cents(sums[field])} />
  ));
}
