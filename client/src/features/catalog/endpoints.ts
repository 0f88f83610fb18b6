import { api } from "@/api/emptyApi";
import { liveList, type PageArg } from "@/api/liveList";
import type { Brand, Product } from "@/api/types";

/** One brand's phones, by the brand's _id. */
export interface BrandArg extends PageArg {
  id: string;
}

const catalog = api.injectEndpoints({
  endpoints: (build) => ({
    /** The six brands with most free phones. */
    topBrands: build.query<Brand[], void>({ query: () => "/categories", providesTags: ["Brands"] }),
    allBrands: build.query<Brand[], void>({ query: () => "/allCategories", providesTags: ["Brands"] }),
    /** A brand's phones, newest first; live. */
    brandProducts: build.query(
      liveList<Product, BrandArg>("brandProducts", ({ id }) => `/categories/${encodeURIComponent(id)}`),
    ),
    /** What sellers advertise and nobody has booked; live. */
    advertised: build.query(liveList<Product, PageArg>("advertised", () => "/products/advertised")),
  }),
});

export const { useTopBrandsQuery, useAllBrandsQuery } = catalog;
/** For useListFrame and useListEntity, and for loading a further page. */
export const { allBrands, topBrands, brandProducts, advertised } = catalog.endpoints;
