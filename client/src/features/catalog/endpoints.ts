import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import type { Brand, Product } from "@/api/types";

const catalog = api.injectEndpoints({
  endpoints: (build) => ({
    /** The six brands with most free phones. */
    topBrands: build.query<Brand[], void>({ query: () => "/categories", providesTags: ["Brands"] }),
    allBrands: build.query<Brand[], void>({ query: () => "/allCategories", providesTags: ["Brands"] }),
    /** What sellers advertise and nobody has booked; live. */
    advertised: build.query(liveList<Product, PageArg>("advertised", () => "/products/advertised")),
  }),
});

export const { useTopBrandsQuery, useAllBrandsQuery } = catalog;
/** For useListIds and useListEntity, and for loading a further page. */
export const { allBrands, topBrands, advertised } = catalog.endpoints;
