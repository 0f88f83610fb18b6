import { useCallback, useEffect, useState } from "react";
import { useLocation, useSearchParams } from "react-router-dom";
import { writeAfterPause } from "@/lib/searchDebounce";
import * as t from "@/texts/admin";

/** In the state of a history entry: the address was written from the field. */
const TYPED = "typed";

export type Verified = keyof typeof t.statuses;

/** Which people an admin wants to see: words of the name or email, and whether they are verified. */
export interface Choice {
  q: string;
  verified: Verified;
}

/** The admin's filter, in the URL: links set it, and Back restores it. Typed text is written after a pause. */
export function usePeopleChoice() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const q = (params.get("q") ?? "").trim();
  const wanted = params.get("verified") ?? "";
  const verified: Verified = Object.hasOwn(t.statuses, wanted) ? (wanted as Verified) : "";
  const [text, setText] = useState(q);
  const [seen, setSeen] = useState(q);
  if (q !== seen) {
    setSeen(q);
    // The field follows a link, but not its own text: the user may have typed more since it was written.
    if (state !== TYPED) setText(q);
  }
  const write = useCallback(
    (choice: Choice) => {
      const set = Object.entries(choice).filter(([, value]) => value !== "");
      setParams(set, { replace: true, state: TYPED });
    },
    [setParams],
  );
  useEffect(() => {
    if (text.trim() === q) return;
    const timer = writeAfterPause(() => write({ q: text.trim(), verified }));
    return () => clearTimeout(timer);
  }, [text, q, verified, write]);
  const choose = (part: Partial<Choice>) => {
    const next = { q: text, verified, ...part };
    setText(next.q);
    write({ ...next, q: next.q.trim() });
  };
  return { q, verified, text, type: setText, choose };
}
