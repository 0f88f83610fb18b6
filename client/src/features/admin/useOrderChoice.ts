import { useCallback, useEffect, useMemo, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { SEARCH_DEBOUNCE_MS } from "@/lib/searchDebounce";
import * as t from "@/texts/adminOrders";
import type { OrdersArg } from "./endpoints";

const FIELDS = ["status", "state", "seller", "buyer"] as const;
type Choice = Required<Pick<OrdersArg, (typeof FIELDS)[number]>>;
const NONE: Choice = { status: "", state: "", seller: "", buyer: "" };

/** The choice in an address, without values that this client does not know. */
function choiceIn(params: URLSearchParams): Choice {
  const known = (name: "status" | "state", all: object) => {
    const value = params.get(name) ?? "";
    return Object.hasOwn(all, value) ? value : "";
  };
  return {
    status: known("status", t.statuses),
    state: known("state", t.states),
    seller: (params.get("seller") ?? "").trim(),
    buyer: (params.get("buyer") ?? "").trim(),
  };
}

/** Which orders an admin wants to see, in the address: links lead to it. Typing is written after a pause. */
export function useOrderChoice() {
  const [params, setParams] = useSearchParams();
  const { status, state, seller, buyer } = choiceIn(params);
  const choice = useMemo(() => ({ status, state, seller, buyer }), [status, state, seller, buyer]);
  const [text, setText] = useState({ seller, buyer });
  const write = useCallback(
    (next: Choice) =>
      setParams(
        Object.entries(next).filter(([, value]) => value !== ""),
        { replace: true },
      ),
    [setParams],
  );
  const typed = { seller: text.seller.trim(), buyer: text.buyer.trim() };
  useEffect(() => {
    if (typed.seller === seller && typed.buyer === buyer) return;
    const next = { status, state, seller: typed.seller, buyer: typed.buyer };
    const timer = setTimeout(() => write(next), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed.seller, typed.buyer, status, state, seller, buyer, write]);
  return {
    choice,
    text,
    isFiltered: FIELDS.some((field) => choice[field] !== ""),
    type: (part: Partial<typeof text>) => setText({ ...text, ...part }),
    choose: (part: Partial<Choice>) => write({ ...choice, ...typed, ...part }),
    clear: () => {
      setText({ seller: "", buyer: "" });
      write(NONE);
    },
  };
}
