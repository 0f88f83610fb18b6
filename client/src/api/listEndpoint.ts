import type { SkipToken } from "@reduxjs/toolkit/query";
import type { Entity, LiveList } from "@/lib/live";
import type { ApiRoot } from "./api";
import type { PageArg } from "./liveList";

/** The members of a list endpoint (liveList) that the hooks of lists use. */
export interface ListEndpoint<T extends Entity, A extends PageArg> {
  name: string;
  /** Declared by RTK Query; exists in the types only. */
  Types: { QueryArg: A; ResultType: LiveList<T> };
  useQuery: (arg: A | SkipToken) => {
    currentData?: LiveList<NoInfer<T>>;
    isFetching: boolean;
    error?: unknown;
  };
  useQuerySubscription: (arg: A | SkipToken) => unknown;
  select: (
    arg: A | SkipToken,
  ) => (state: ApiRoot) => { data?: LiveList<NoInfer<T>>; error?: unknown; status: string };
}
