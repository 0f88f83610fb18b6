import { api } from "./api";
import { liveOne } from "./liveOne";
import type { Product } from "./types";

/** The argument for one phone; visitors get fewer fields, so their cache entries are separate. */
export interface PhoneArg {
  id: string;
  signedIn: boolean;
}

const phones = api.injectEndpoints({
  endpoints: (build) => ({
    /** One phone, for its page and for the booking dialog; live. */
    phone: build.query(
      liveOne<Product, PhoneArg>("brandProducts", ({ id }) => `/products/${encodeURIComponent(id)}`),
    ),
  }),
});

export const { usePhoneQuery } = phones;
/** For refetching it. */
export const { phone } = phones.endpoints;
