import type { ListEndpoint } from "@/api/listEndpoint";
import type { PageArg } from "@/api/liveList";
import { useNextPage } from "@/api/useNextPage";
import type { Entity } from "@/lib/live";
import { useToast } from "@/ui";

/** Loads the next page of a grid; an error is shown as a toast and can be retried. The result is for LoadMore. */
export function useLoadMore<T extends Entity, A extends PageArg>(
  endpoint: ListEndpoint<T, A>,
  arg: A,
  nextCursor: string | null,
) {
  const { load, isLoading, error } = useNextPage(endpoint, arg, nextCursor);
  const toast = useToast();
  const onMore = async () => {
    const message = await load();
    if (message) toast(message, "error");
  };
  return { busy: isLoading, failed: error !== undefined, onMore: () => void onMore() };
}
