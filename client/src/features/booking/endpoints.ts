import { afterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { ofKind } from "@/api/refetchLists";
import type { BookingPayload, Inserted, Product } from "@/api/types";
import { type LiveList, receivesTopic } from "@/lib/live";
import { MAX_SIMILAR, mostSimilar } from "./similar";

/** The number of results in each direction of the price: enough to choose by condition. */
const SEARCH_LIMIT = 8;

/** The paths of two searches for available phones: from this price upwards and below it, the nearest first; of one brand or all. */
function searchPaths({ resalePrice }: Product, brand: string | null): string[] {
  const path = (params: Record<string, string>) =>
    `/products/search?${new URLSearchParams({ available: "true", limit: `${SEARCH_LIMIT}`, ...(brand && { brand }), ...params })}`;
  const up = path({ minPrice: `${resalePrice}`, sort: "price-up" });
  return resalePrice > 1 ? [up, path({ maxPrice: `${resalePrice - 1}`, sort: "price-down" })] : [up];
}

const booking = api.injectEndpoints({
  endpoints: (build) => ({
    /** Books a phone for the signed-in buyer; 409 with the server's message if another buyer was faster. */
    book: build.mutation<Inserted, BookingPayload>({
      query: (body) => ({ url: "/bookings", method: "PUT", body }),
      onQueryStarted: async ({ id, productID }, { dispatch, queryFulfilled }) => {
        const path = `/products/${encodeURIComponent(productID)}`;
        const brandLists = (list: LiveList) => receivesTopic(list, `brand:${id}`);
        await Promise.all([
          // Without a live connection, the buyer's list has to say whose booking it is, also if the answer was lost.
          dispatch(afterWrite({ lists: ofKind("bookings") }, queryFulfilled)),
          dispatch(afterWrite({ lists: brandLists, id: productID, path }, queryFulfilled)),
        ]);
      },
    }),
    /** Up to three available phones that are similar to this one: of its brand first, then of any brand. */
    similarPhones: build.query<Product[], Product>({
      serializeQueryArgs: ({ queryArgs }) => queryArgs._id,
      queryFn: async (of, _store, _extra, call) => {
        let found: Product[] = [];
        for (const brand of [of.id, null]) {
          const results = await Promise.all(searchPaths(of, brand).map(call));
          for (const { data, error } of results) {
            if (error) return { error };
            found = [...found, ...(data as Product[])];
          }
          if (mostSimilar(of, found).length === MAX_SIMILAR) break;
        }
        return { data: mostSimilar(of, found) };
      },
    }),
  }),
});

export const { useBookMutation, useSimilarPhonesQuery } = booking;
