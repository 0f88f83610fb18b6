import type { ThunkAction, ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { useState } from "react";
import { useDispatch } from "react-redux";
import type { api } from "@/api/api";
import { errorMessage } from "@/api/errors";
import type { ShownListsRoot } from "@/api/shownLists";
import { useToast } from "@/ui";

type Root = ShownListsRoot & { api: ReturnType<typeof api.reducer> };

/** The dispatch type for the catalog's endpoints. */
export type CatalogDispatch = ThunkDispatch<Root, unknown, UnknownAction>;

/** Options for a further page: it is merged into the cached list, to which the screen is already subscribed. */
export const PAGE = { subscribe: false } as const;

/** Loads the next page of a list; an error is shown as a toast and can be retried. */
export function useNextPage(
  next: () => ThunkAction<PromiseLike<{ error?: unknown }>, Root, unknown, UnknownAction>,
) {
  const dispatch = useDispatch<CatalogDispatch>();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const onMore = async () => {
    setBusy(true);
    const { error } = await dispatch(next());
    setFailed(error !== undefined);
    if (error) toast(errorMessage(error), "error");
    setBusy(false);
  };
  return { busy, failed, onMore: () => void onMore() };
}
