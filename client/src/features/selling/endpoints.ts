import { afterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveEntity } from "@/api/liveEntity";
import { liveList, type PageArg } from "@/api/liveList";
import type { Brand, Deleted, Inserted, Modified, NewProduct, Product, ProductChange } from "@/api/types";
import type { LiveList } from "@/lib/live";

interface OwnArg extends PageArg {
  email: string;
}

const areOwn = ({ kind }: LiveList) => kind === "ownProducts";

/** The call for one phone does not tell who has bought it, as a seller's own list does. */
const hasNoBuyer = (phone: object) => !("sold" in phone && phone.sold === true);

/** Brings what a write has changed of one's own phone, live or by reading it. */
const afterOwn = (id: string, call: PromiseLike<unknown>) =>
  afterWrite(
    { lists: areOwn, id, path: `/products/${encodeURIComponent(id)}`, hasAllFields: hasNoBuyer },
    call,
  );

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
      liveEntity<Product, { id: string }>("brandProducts", ({ id }) => `/products/${encodeURIComponent(id)}`),
    ),
    addProduct: build.mutation<Inserted, NewProduct>({
      query: (body) => ({ url: "/products", method: "POST", body }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await dispatch(afterWrite({ lists: areOwn }, queryFulfilled));
      },
    }),
    /** Changes a phone while it is not booked. Prices are whole US dollars. */
    changeProduct: build.mutation<Modified, ProductChange & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/products/${id}`, method: "PATCH", body }),
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        await dispatch(afterOwn(id, queryFulfilled));
      },
    }),
    advertise: build.mutation<Modified, string>({
      query: (id) => ({ url: `/products/advertise/${id}`, method: "PUT" }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        await dispatch(afterOwn(id, queryFulfilled));
      },
    }),
    /** The phone stays for sale. */
    stopAdvertising: build.mutation<Modified, string>({
      query: (id) => ({ url: `/products/advertise/${id}`, method: "DELETE" }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        await dispatch(afterOwn(id, queryFulfilled));
      },
    }),
    deleteProduct: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/products/${id}`, method: "DELETE" }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        await dispatch(afterOwn(id, queryFulfilled));
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
  useStopAdvertisingMutation,
  useDeleteProductMutation,
} = selling;
