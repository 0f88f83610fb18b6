import { api } from "./api";
import { liveOne } from "./liveOne";
import type { Product } from "./types";

/** One phone, by its _id; a visitor is told less of it, so the two answers are kept apart. */
export interface PhoneArg {
  id: string;
  signedIn: boolean;
}

const phones = api.injectEndpoints({
  endpoints: (build) => ({
    /** One phone, for its own page and for the dialog that books it; live, for a visitor while it is advertised. */
    phone: build.query(
      liveOne<Product, PhoneArg>(
        "brandProducts",
        ({ id }) => `/products/${encodeURIComponent(id)}`,
        ({ signedIn }) => (signedIn ? null : "advertised"),
      ),
    ),
  }),
});

export const { usePhoneQuery } = phones;
/** To ask for it again. */
export const { phone } = phones.endpoints;
