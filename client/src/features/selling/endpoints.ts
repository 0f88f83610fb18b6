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

/** Whether the phone has no buyer. The response for one phone does not contain the buyer; a seller's own list does. */
const hasNoBuyer = (phone: object) => !("sold" in phone && phone.sold === true);

/** Updates one of the seller's phones after a write: by its event, or by fetching it. */
const afterOwn = (id: string, call: PromiseLike<unknown>) =>
  afterWrite(
    { lists: areOwn, id, path: `/products/${encodeURIComponent(id)}`, hasAllFields: hasNoBuyer },
    call,
  );

const selling = api.injectEndpoints({
  endpoints: (build) => ({
    /** The brands to choose from. */
    productBrands: build.query<Brand[], void>({ query: () => "/productCategory", providesTags: ["Brands"] }),
    /** The phones of one seller, with the fields that only the seller may see. */
    ownProducts: build.query(
      liveList<Product, OwnArg>("ownProducts", ({ email }) => `/products?email=${encodeURIComponent(email)}`),
    ),
    /** One phone, with the fields for signed-in users; live. */
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
    /** Ends the advertisement; the phone stays for sale. */
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
