import { api } from "@/api/api";
import { CARDS_PER_PAGE, liveList, type PageArg } from "@/api/liveList";
import type { Product } from "@/api/types";
import type { ListKind } from "@/lib/live";
import { EMPTY_QUERY, parseQuery, type Query } from "@/lib/productQuery";

/** The argument of a list of phones: all of a brand or of the market, or the results of a search. */
export interface PhonesArg extends PageArg {
  /** The brand's _id; null for those of the whole market. */
  brand: string | null;
  /** The query, in the format of `formatQuery`; "" for everything, in the order of our screens. */
  queryString: string;
  /** A visitor receives fewer fields of each phone, so the responses are cached separately. */
  signedIn: boolean;
}

/** All phones of a brand, or the results of a search of it. The screens that show them are for signed-in users. */
export const ofBrand = (brand: string, queryString = ""): PhonesArg => ({
  brand,
  queryString,
  signedIn: true,
});

const kindOf = ({ brand }: PhonesArg): ListKind => (brand !== null ? "brandProducts" : "marketProducts");

/** The path of the list at the server. */
export function phonesPath({ brand, queryString }: PhonesArg): string {
  const path = brand === null ? "/products/search" : `/categories/${encodeURIComponent(brand)}`;
  const params = new URLSearchParams(queryString);
  // The server's default is another one in a brand.
  if (!params.has("sort")) params.set("sort", EMPTY_QUERY.sort);
  return `${path}?${params}`;
}

/** The query of a list. The server's own one has no order. */
function queryOf({ queryString }: PhonesArg, searched?: string | null): Query {
  const asked = parseQuery(queryString);
  return searched ? { ...parseQuery(searched), sort: asked.sort } : asked;
}

/** Seconds that a list is cached after its screen closes, so that a person who returns has the same pages and position. */
const KEPT_SECONDS = 300;

const phones = api.injectEndpoints({
  endpoints: (build) => ({
    /** The phones of a brand or of the market that match the query; live. */
    phoneList: build.query({
      ...liveList<Product, PhonesArg>(kindOf, phonesPath, queryOf, CARDS_PER_PAGE),
      keepUnusedDataFor: KEPT_SECONDS,
    }),
  }),
});

/** For useListIds and useListEntity, and for loading a further page. */
export const { phoneList } = phones.endpoints;
