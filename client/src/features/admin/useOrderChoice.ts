import { useCallback, useEffect, useMemo, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { cleanEmail, cleanLine } from "@/lib/cleanText";
import type { OrderFilter } from "@/lib/live";
import { writeAfterPause } from "@/lib/searchDebounce";
import * as t from "@/texts/adminOrders";

/** The values that the address may have. */
const KNOWN = { tab: t.tabs, status: t.statuses, payout: t.payouts };
type Choice = Required<Pick<OrderFilter, "tab" | "status" | "payout" | "q">>;
const NONE: Choice = { tab: "", status: "", payout: "", q: "" };

/** What the server is asked for: email addresses are stored in lower case. */
const normal = (text: string) => (text.includes("@") ? cleanEmail(text).toLowerCase() : cleanLine(text));

/** The filter in a URL, without values that this client does not know. */
function choiceIn(params: URLSearchParams): Choice {
  const known = (name: keyof typeof KNOWN) => {
    const value = params.get(name) ?? "";
    return Object.hasOwn(KNOWN[name], value) ? value : "";
  };
  return {
    tab: known("tab"),
    status: known("status"),
    payout: known("payout"),
    q: normal(params.get("q") ?? ""),
  };
}

/** The filter of the orders, in the URL so that links can set it. Typed text is written after a pause. */
export function useOrderChoice() {
  const [params, setParams] = useSearchParams();
  const { tab, status, payout, q } = choiceIn(params);
  const filter = useMemo(() => ({ tab, status, payout, q }), [tab, status, payout, q]);
  const [text, setText] = useState(q);
  const write = useCallback(
    (next: Choice) =>
      setParams(
        Object.entries(next).filter(([, value]) => value !== ""),
        { replace: true },
      ),
    [setParams],
  );
  const typed = normal(text);
  useEffect(() => {
    if (typed === q) return;
    const timer = writeAfterPause(() => write({ ...filter, q: typed }));
    return () => clearTimeout(timer);
  }, [typed, q, filter, write]);
  return {
    arg: useMemo(() => ({ filter }), [filter]),
    choice: filter,
    text,
    isFiltered: Object.values(filter).some((value) => value !== ""),
    type: setText,
    choose: (part: Partial<Choice>) => write({ ...filter, q: typed, ...part }),
    clear: () => {
      setText("");
      write(NONE);
    },
  };
}
