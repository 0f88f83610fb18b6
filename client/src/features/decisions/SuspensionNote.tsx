import { Link } from "react-router-dom";
import { useRole } from "@/api/role";
import type { Decision } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import { serverNow } from "@/lib/serverTime";
import * as t from "@/texts/decisions";
import { ALL, decisions } from "./endpoints";

/** Until when somebody who is suspended may not trade, above all screens of the dashboard; nothing for others. */
export function SuspensionNote() {
  const { role } = useRole();
  const mayTrade = role === "buyer" || role === "seller";
  const { list } = useList(decisions, mayTrade ? ALL : null);
  const until = suspensionEnd(rowsOf(list));
  if (!until) return null;
  return (
    <p className="mb-4 rounded-md bg-accent-soft px-4 py-3 text-accent">
      <span>{t.suspendedUntil(until)}</span>{" "}
      <Link to="/dashboard/decisions" className="font-semibold underline underline-offset-4">
        {t.readWhy}
      </Link>
    </p>
  );
}

/** The end of the last suspension, RFC 3339; undefined if there is none now. */
function suspensionEnd(all: readonly Decision[]): string | undefined {
  const ends = all.flatMap(({ decision, until, appeal }) =>
    decision === "suspend" && until && appeal?.state !== "reversed" ? [until] : [],
  );
  return ends
    .filter((end) => Date.parse(end) > serverNow())
    .toSorted()
    .at(-1);
}
