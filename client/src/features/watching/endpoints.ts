import { afterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import type { Deleted, Product, SavedSearch } from "@/api/types";
import type { LiveList } from "@/lib/live";

const screen = api.injectEndpoints({
  endpoints: (build) => ({
    /** The phones that the signed-in user watches; live. */
    watches: build.query(liveList<Product, PageArg>("watchedProducts", () => "/watches")),
    /** The signed-in user's saved searches; live. */
    searches: build.query(liveList<SavedSearch, PageArg>("searches", () => "/searches")),
    /** Deletes a saved search, by its _id. */
    deleteSearch: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/searches/${id}`, method: "DELETE" }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const lists = ({ kind }: LiveList) => kind === "searches";
        await dispatch(afterWrite({ lists }, queryFulfilled));
      },
    }),
  }),
});

export const { useDeleteSearchMutation } = screen;
export const { watches, searches } = screen.endpoints;

/** The lists' argument: one object for all renders, as it is the list's key in the cache. */
export const ALL = {};
