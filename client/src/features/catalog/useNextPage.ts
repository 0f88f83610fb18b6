import type { ThunkAction, ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { useState } from "react";
import { useDispatch } from "react-redux";
import type { api } from "@/api/emptyApi";
import { messageOf } from "@/api/errors";
import { useToast } from "@/ui";

type Root = { api: ReturnType<typeof api.reducer> };

/** Dispatch that takes the catalogue's calls. */
export type CatalogDispatch = ThunkDispatch<Root, unknown, UnknownAction>;

/** How a further page is fetched: into the cached list, which its screen already follows. */
export const PAGE = { subscribe: false } as const;

/** Fetches the next page of a list; a failure is said in a toast and can be tried again. */
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
    if (error) toast(messageOf(error), "error");
    setBusy(false);
  };
  return { busy, failed, onMore: () => void onMore() };
}
