import { afterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import type { BookingPayload, Inserted, Product } from "@/api/types";
import { type LiveList, receivesTopic } from "@/lib/live";
import { COUNT, mostAlike } from "./similar";

/** Asked for on each side of the price, so that the condition has something to choose from. */
const AROUND = 8;

/** Free phones from this price upwards and below it, the nearest first, as two searches; of all brands or one. */
function searches({ resalePrice }: Product, brand: string | null): string[] {
  const path = (side: Record<string, string>) =>
    `/products/search?${new URLSearchParams({ available: "true", limit: `${AROUND}`, ...(brand && { brand }), ...side })}`;
  const up = path({ minPrice: `${resalePrice}`, sort: "price-up" });
  return resalePrice > 1 ? [up, path({ maxPrice: `${resalePrice - 1}`, sort: "price-down" })] : [up];
}

const booking = api.injectEndpoints({
  endpoints: (build) => ({
    /** Books a phone for the signed-in buyer; 409 with the server's words when somebody was faster. */
    book: build.mutation<Inserted, BookingPayload>({
      query: (body) => ({ url: "/bookings", method: "PUT", body }),
      onQueryStarted: async ({ id, productID }, { dispatch, queryFulfilled }) => {
        const path = `/products/${encodeURIComponent(productID)}`;
        const lists = (list: LiveList) => list.kind === "bookings" || receivesTopic(list, `brand:${id}`);
        await dispatch(afterWrite({ lists, id: productID, path }, queryFulfilled));
      },
    }),
    /** Up to three free phones like this one: of its brand first, then of any. */
    similarPhones: build.query<Product[], Product>({
      serializeQueryArgs: ({ queryArgs }) => queryArgs._id,
      queryFn: async (of, _store, _extra, call) => {
        let found: Product[] = [];
        for (const brand of [of.id, null]) {
          const answers = await Promise.all(searches(of, brand).map(call));
          for (const { data, error } of answers) {
            if (error) return { error };
            found = [...found, ...(data as Product[])];
          }
          if (mostAlike(of, found).length === COUNT) break;
        }
        return { data: mostAlike(of, found) };
      },
    }),
  }),
});

export const { useBookMutation, useSimilarPhonesQuery } = booking;
