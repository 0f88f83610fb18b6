import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import { ofKind } from "@/api/refetchLists";
import type { Deleted, Product, SavedSearch } from "@/api/types";

const screen = api.injectEndpoints({
  endpoints: (build) => ({
    /** The phones that the signed-in user watches; live. */
    watches: build.query(liveList<Product, PageArg>("watchedProducts", () => "/watches")),
    /** The signed-in user's saved searches; live. */
    searches: build.query(liveList<SavedSearch, PageArg>("searches", () => "/searches")),
    /** Deletes a saved search, by its _id. */
    deleteSearch: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/searches/${id}`, method: "DELETE" }),
      onQueryStarted: updateAfterWrite(() => ({ lists: ofKind("searches") })),
    }),
  }),
});

export const { useDeleteSearchMutation } = screen;
export const { watches, searches } = screen.endpoints;

/** The lists' argument: one object for all renders, as it is the list's key in the cache. */
export const ALL = {};
