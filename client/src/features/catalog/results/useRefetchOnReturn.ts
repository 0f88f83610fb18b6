import { useEffect } from "react";
import { useDispatch } from "react-redux";
import { refetchLists } from "@/api/liveList";
import type { CatalogDispatch } from "../useNextPage";

/** Lists younger than this, in milliseconds, are not fetched again. */
export const FRESH_MS = 15_000;

/**
 * Refetches a visitor's search silently when the page becomes visible again: visitors get live events of advertised
 * phones only, so other phones may have changed.
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
