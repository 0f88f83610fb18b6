import { useCallback, useEffect, useMemo, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { cleanEmail } from "@/lib/cleanText";
import type { OrderFilter } from "@/lib/live";
import { writeAfterPause } from "@/lib/searchDebounce";
import * as t from "@/texts/adminOrders";

const FIELDS = ["status", "state", "payout", "seller", "buyer"] as const;
type Choice = Required<OrderFilter>;
const NONE: Choice = { status: "", state: "", payout: "", seller: "", buyer: "" };

/** An email address as the server stores it. */
const normal = (email: string) => cleanEmail(email).toLowerCase();

/** The filter in a URL, without values that this client does not know. */
function choiceIn(params: URLSearchParams): Choice {
  const known = (name: "status" | "state" | "payout", all: object) => {
    const value = params.get(name) ?? "";
    return Object.hasOwn(all, value) ? value : "";
  };
  const emailIn = (name: "seller" | "buyer") => normal(params.get(name) ?? "");
  return {
    status: known("status", t.statuses),
    state: known("state", t.states),
    payout: known("payout", t.payouts),
    seller: emailIn("seller"),
    buyer: emailIn("buyer"),
  };
}

/** The filter of the orders, in the URL so that links can set it. Typed text is written after a pause. */
export function useOrderChoice() {
  const [params, setParams] = useSearchParams();
  const { status, state, payout, seller, buyer } = choiceIn(params);
  const filter = useMemo(
    () => ({ status, state, payout, seller, buyer }),
    [status, state, payout, seller, buyer],
  );
  const [text, setText] = useState({ seller, buyer });
  const write = useCallback(
    (next: Choice) =>
      setParams(
        Object.entries(next).filter(([, value]) => value !== ""),
        { replace: true },
      ),
    [setParams],
  );
  const typed = { seller: normal(text.seller), buyer: normal(text.buyer) };
  useEffect(() => {
    if (typed.seller === seller && typed.buyer === buyer) return;
    const next = { ...filter, seller: typed.seller, buyer: typed.buyer };
    const timer = writeAfterPause(() => write(next));
    return () => clearTimeout(timer);
  }, [typed.seller, typed.buyer, seller, buyer, filter, write]);
  return {
    arg: useMemo(() => ({ filter }), [filter]),
    choice: filter,
    text,
    isFiltered: FIELDS.some((field) => filter[field] !== ""),
    type: (part: Partial<typeof text>) => setText({ ...text, ...part }),
    choose: (part: Partial<Choice>) => write({ ...filter, ...typed, ...part }),
    clear: () => {
      setText({ seller: "", buyer: "" });
      write(NONE);
    },
  };
}
