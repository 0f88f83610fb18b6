import type { ThunkDispatch, UnknownAction } from "@reduxjs/toolkit";
import { useDispatch } from "react-redux";
import { api } from "./api";

interface Root {
  api: ReturnType<typeof api.reducer>;
}

/** The part of an endpoint that is called here. */
interface Endpoint<A> {
  name: string;
  initiate: (arg: A, options: { forceRefetch: boolean; subscribe: boolean }) => unknown;
}

const refetch =
  <A>(endpoint: Endpoint<A>, arg: A) =>
  async (dispatch: ThunkDispatch<Root, unknown, UnknownAction>): Promise<void> => {
    const running = dispatch(
      api.util.getRunningQueryThunk(endpoint.name as never, arg as never) as never,
    ) as unknown as (Promise<unknown> & { abort: () => void }) | undefined;
    running?.abort();
    await running;
    await dispatch(endpoint.initiate(arg, { forceRefetch: true, subscribe: false }) as never);
  };

/** Refetches a query. A running request is aborted first; the refetch of RTK Query would wait for it. */
export function useRefetch<A>(endpoint: Endpoint<A>, arg: A): () => void {
  const dispatch = useDispatch();
  return () => void dispatch(refetch(endpoint, arg) as never);
}
