import { api } from "./api";
import { liveEntity } from "./liveEntity";
import type { Product } from "./types";

/** The argument of the endpoint. Visitors get fewer fields, so their cache entries are separate. */
interface PhoneArg {
  id: string;
  signedIn: boolean;
}

const phones = api.injectEndpoints({
  endpoints: (build) => ({
    /** One phone, for its page and the booking dialog; live. It receives the events of its brand, as a list of the brand does. */
    phone: build.query(
      liveEntity<Product, PhoneArg>("brandProducts", ({ id }) => `/products/${encodeURIComponent(id)}`),
    ),
  }),
});

export const { usePhoneQuery } = phones;
/** For useRefetch. */
export const { phone } = phones.endpoints;
