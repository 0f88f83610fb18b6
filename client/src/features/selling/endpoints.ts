import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveEntity } from "@/api/liveEntity";
import { liveList, type PageArg } from "@/api/liveList";
import { ofKind } from "@/api/refetchLists";
import type { Brand, Deleted, Inserted, Modified, NewProduct, Product, ProductChange } from "@/api/types";

interface OwnArg extends PageArg {
  email: string;
}

/** What the form reads of a phone of its brand. */
export type ListedPhone = Pick<Product, "name" | "resalePrice" | "booked" | "storage">;

const areOwn = ofKind("ownProducts");

/** Whether the phone has no buyer. The response for one phone does not contain the buyer; a seller's own list does. */
const hasNoBuyer = (phone: object) => !("sold" in phone && phone.sold === true);

/** What a write to one of the seller's phones changes. */
const ownPhone = (id: string) => ({
  lists: areOwn,
  id,
  path: `/products/${encodeURIComponent(id)}`,
  hasAllFields: hasNoBuyer,
});

const selling = api.injectEndpoints({
  endpoints: (build) => ({
    /** The brands to choose from. */
    productBrands: build.query<Brand[], void>({ query: () => "/productCategory", providesTags: ["Brands"] }),
    /** The phones of a brand that the form compares a phone with: at most 200, those for sale first, then the newest. */
    brandPhones: build.query<ListedPhone[], string>({
      query: (brand) => `/products/search?${new URLSearchParams({ brand, limit: "200" })}`,
      transformResponse: (phones: Product[]) =>
        phones.map(({ name, resalePrice, booked, storage }) => ({ name, resalePrice, booked, storage })),
    }),
    /** The names of the brands of the phones that have all words of a phone's name. */
    brandsOfName: build.query<string[], string>({
      query: (name) => `/products/search?${new URLSearchParams({ q: name, limit: "20" })}`,
      transformResponse: (phones: Product[], meta) =>
        meta?.leftOut.length ? [] : [...new Set(phones.map(({ brand }) => brand))],
    }),
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
      onQueryStarted: updateAfterWrite(() => ({ lists: areOwn })),
    }),
    /** Changes a phone while it is not booked. Prices are whole US dollars. */
    changeProduct: build.mutation<Modified, ProductChange & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/products/${id}`, method: "PATCH", body }),
      onQueryStarted: updateAfterWrite(({ id }) => ownPhone(id)),
    }),
    advertise: build.mutation<Modified, string>({
      query: (id) => ({ url: `/products/advertise/${id}`, method: "PUT" }),
      onQueryStarted: updateAfterWrite(ownPhone),
    }),
    /** Ends the advertisement; the phone stays for sale. */
    stopAdvertising: build.mutation<Modified, string>({
      query: (id) => ({ url: `/products/advertise/${id}`, method: "DELETE" }),
      onQueryStarted: updateAfterWrite(ownPhone),
    }),
    deleteProduct: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/products/${id}`, method: "DELETE" }),
      onQueryStarted: updateAfterWrite(ownPhone),
    }),
  }),
});

export const { ownProducts } = selling.endpoints;
export const {
  useBrandPhonesQuery,
  useLazyBrandsOfNameQuery,
  useOwnPhoneQuery,
  useProductBrandsQuery,
  useAddProductMutation,
  useChangeProductMutation,
  useAdvertiseMutation,
  useStopAdvertisingMutation,
  useDeleteProductMutation,
} = selling;
