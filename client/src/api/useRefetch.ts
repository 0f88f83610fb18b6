import { useDispatch } from "react-redux";
import { type ApiDispatch, refetchQuery, runningQuery } from "./cachedQueries";

/** Refetches a query. A running request is aborted first; the refetch of RTK Query would wait for it. */
export function useRefetch<A>({ name }: { name: string; Types: { QueryArg: A } }, arg: A): () => void {
  const dispatch = useDispatch<ApiDispatch>();
  return async () => {
    const running = dispatch(runningQuery(name, arg));
    running?.abort();
    await running;
    void dispatch(refetchQuery(name, arg));
  };
}
