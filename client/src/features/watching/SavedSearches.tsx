import { Link } from "react-router-dom";
import { errorMessage } from "@/api/errors";
import type { SavedSearch } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/watching";
import { Button, ErrorState, Loading, Skeleton, useKeptFocus, useToast } from "@/ui";
import { EmptyPart } from "./EmptyPart";
import { ALL, searches, useDeleteSearchMutation } from "./endpoints";

/** The saved searches: each opens its results, and can be deleted. `isBrief` as in EmptyPart. */
export function SavedSearches({ isBrief }: { isBrief: boolean }) {
  const view = useList(searches, ALL);
  const rows = rowsOf(view.list);
  const keptFocus = useKeptFocus<HTMLElement>();
  return (
    <section aria-labelledby="searches-title" {...keptFocus} className="grid gap-3">
      <h3 id="searches-title" tabIndex={-1} className="font-bold text-lg">
        {t.searches}
      </h3>
      {view.isLoading && (
        <Loading label={t.searchesLoading} onRetry={view.retry}>
          <Skeleton className="h-14" />
        </Loading>
      )}
      {view.error && <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />}
      {view.list && rows.length === 0 && (
        <EmptyPart
          title={t.noSearches}
          hint={t.noSearchesHint}
          to="/search"
          link={t.findPhone}
          isBrief={isBrief}
        />
      )}
      {rows.length > 0 && (
        <ul className="grid divide-y divide-line rounded-lg border border-line bg-surface">
          {rows.map((search) => (
            <SearchRow key={search._id} search={search} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SearchRow({ search: { _id, name, query, createdAt } }: { search: SavedSearch }) {
  const [remove, { isLoading }] = useDeleteSearchMutation();
  const toast = useToast();
  const onDelete = async () => {
    const { error } = await remove(_id);
    if (error) toast(errorMessage(error), "error");
    else toast(t.searchDeleted);
  };
  return (
    <li tabIndex={-1} className="flex items-center gap-3 py-2 ps-4 pe-2">
      <div className="min-w-0 flex-1">
        <Link
          to={`/search?${query}`}
          className="inline-block py-1 font-bold underline-offset-4 [overflow-wrap:anywhere] hover:text-brand hover:underline"
        >
          {name}
        </Link>
        <p className="text-muted text-sm">{t.savedOn(createdAt)}</p>
      </div>
      <Button
        size="sm"
        variant="quiet"
        busy={isLoading}
        aria-label={t.deleteSearchOf(name)}
        onClick={() => void onDelete()}
      >
        {t.deleteSearch}
      </Button>
    </li>
  );
}
