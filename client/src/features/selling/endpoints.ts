import { api } from "@/api/emptyApi";
import { errorOfBody, UNREACHABLE } from "@/api/errors";
import { liveList, type PageArg, refetchLists } from "@/api/liveList";
import { type SessionRoot, selectAccessToken } from "@/api/session";
import type { Brand, Config, Deleted, Inserted, Modified, NewProduct, Product } from "@/api/types";

interface OwnArg extends PageArg {
  email: string;
}

interface Upload {
  host: Config["imageHost"];
  file: File;
}

/** Posts an image to the image host; the bearer goes along to the own origin only. Rejects when out of reach. */
async function upload({ host, file }: Upload, token: string | null): Promise<Response> {
  const target = new URL(host.url, window.location.origin);
  target.searchParams.set("key", host.key);
  const own = target.origin === window.location.origin;
  const body = new FormData();
  body.append("image", file);
  return fetch(target, {
    method: "POST",
    body,
    credentials: own ? "same-origin" : "omit",
    headers: own && token ? { Authorization: `Bearer ${token}` } : {},
  });
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
    /** Posts a photograph to the image host; answers its address. */
    uploadImage: build.mutation<string, Upload>({
      queryFn: async (arg, { getState }) => {
        try {
          const response = await upload(arg, selectAccessToken(getState() as SessionRoot));
          const body = (await response.json().catch(() => null)) as {
            success?: boolean;
            data?: { url?: string };
            error?: { message?: string };
          } | null;
          if (response.ok && body?.success && body.data?.url) return { data: body.data.url };
          return { error: errorOfBody(response.status, body?.error?.message ? body.error : body) };
        } catch {
          return { error: { status: 0, message: UNREACHABLE, code: "network" } };
        }
      },
    }),
    addProduct: build.mutation<Inserted, NewProduct>({
      query: (body) => ({ url: "/products", method: "POST", body }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        await queryFulfilled.then(() => dispatch(refreshOwn())).catch(() => undefined);
      },
    }),
    /** Changes a phone's resale price, in whole US dollars, while it is not booked. */
    changePrice: build.mutation<Modified, { id: string; resalePrice: number }>({
      query: ({ id, resalePrice }) => ({ url: `/products/${id}`, method: "PATCH", body: { resalePrice } }),
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
  useProductBrandsQuery,
  useUploadImageMutation,
  useAddProductMutation,
  useChangePriceMutation,
  useAdvertiseMutation,
  useDeleteProductMutation,
} = selling;
