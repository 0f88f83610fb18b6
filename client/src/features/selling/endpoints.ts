import { api } from "@/api/emptyApi";
import { liveList, type PageArg, refetchLists } from "@/api/liveList";
import { liveOne } from "@/api/liveOne";
import type { Brand, Deleted, Inserted, Modified, NewProduct, Product, ProductChange } from "@/api/types";

interface OwnArg extends PageArg {
  email: string;
}

/** Live brings changes of own phones too; fetching again is for when live is away. */
const refreshOwn = () => refetchLists(({ kind }) => kind === "ownProducts");

const selling = api.injectEndpoints({
  endpoints: (build) => ({
    /** The brands to choose from. */
    productBrands: build.query<Brand[], void>({ query: () => "/productCategory", providesTags: ["Brands"] }),
    /** The phones of one seller as the seller may see them. */
    ownProducts: build.query(
      liveList<Product, OwnArg>("ownProducts", ({ email }) => `/products?email=${encodeURIComponent(email)}`),
    ),
    /** One phone as anyone signed in sees it; live. */
    ownPhone: build.query(
      liveOne<Product, { id: string }>("brandProducts", ({ id }) => `/products/${encodeURIComponent(id)}`),
    ),
    addProduct: build.mutation<Inserted, NewProduct>({
      query: (body) => ({ url: "/products", method: "POST", body }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await queryFulfilled.then(() => dispatch(refreshOwn())).catch(() => undefined);
      },
    }),
    /** Changes a phone while it is not booked. Prices are whole US dollars. */
    changeProduct: build.mutation<Modified, ProductChange & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/products/${id}`, method: "PATCH", body }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await queryFulfilled.catch(() => undefined);
        await dispatch(refreshOwn());
      },
    }),
    advertise: build.mutation<Modified, string>({
      query: (id) => ({ url: `/products/advertise/${id}`, method: "PUT" }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await queryFulfilled.catch(() => undefined);
        await dispatch(refreshOwn());
      },
    }),
    deleteProduct: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/products/${id}`, method: "DELETE" }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await queryFulfilled.catch(() => undefined);
        await dispatch(refreshOwn());
      },
    }),
  }),
});

export const { ownProducts } = selling.endpoints;
export const {
  useOwnPhoneQuery,
  useProductBrandsQuery,
  useAddProductMutation,
  useChangeProductMutation,
  useAdvertiseMutation,
  useDeleteProductMutation,
} = selling;
