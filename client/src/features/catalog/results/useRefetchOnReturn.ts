import { useEffect } from "react";
import { useDispatch } from "react-redux";
import { refetchLists } from "@/api/liveList";
import type { CatalogDispatch } from "../useNextPage";

/** A list younger than this, in milliseconds, is good enough. */
export const FRESH_MS = 15_000;

/**
 * Fetches a visitor's search again, without a word, when they come back to the page: visitors are told of
 * advertised phones only, so the others may have changed meanwhile.
 */
export function useRefetchOnReturn(isVisitor: boolean): void {
  const dispatch = useDispatch<CatalogDispatch>();
  useEffect(() => {
    if (!isVisitor) return;
    const look = () => {
      if (document.visibilityState !== "visible") return;
      const before = Date.now() - FRESH_MS;
      void dispatch(refetchLists(({ kind, startedAt }) => kind === "visitorProducts" && startedAt < before));
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [isVisitor, dispatch]);
}
