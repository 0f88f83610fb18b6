import { api } from "@/api/api";
import { CARDS_PER_PAGE, liveList, type PageArg } from "@/api/liveList";
import type { Brand, Product } from "@/api/types";

const catalog = api.injectEndpoints({
  endpoints: (build) => ({
    /** The six brands with most available phones. */
    topBrands: build.query<Brand[], void>({ query: () => "/categories", providesTags: ["Brands"] }),
    allBrands: build.query<Brand[], void>({ query: () => "/allCategories", providesTags: ["Brands"] }),
    /** What sellers advertise and nobody has booked; live. */
    advertised: build.query(
      liveList<Product, PageArg>("advertised", () => "/products/advertised", undefined, CARDS_PER_PAGE),
    ),
  }),
});

/**
 * For screens that show the numbers of brands. No event contains these numbers, so they are refetched when the screen
 * opens and when its window has the focus again.
 */
export const FRESH_NUMBERS = { refetchOnMountOrArgChange: true, refetchOnFocus: true };

export const { useTopBrandsQuery, useAllBrandsQuery } = catalog;
/** For useListIds and useListEntity, and for loading a further page. */
export const { allBrands, topBrands, advertised } = catalog.endpoints;
