import type { Product } from "@/api/types";
import { ADD_PRODUCT } from "@/lib/loginOrigin";

/** The form of a new phone like this one; or of this phone again, with its photos and its description. */
export const likeUrl = ({ _id }: Product, isSame: boolean) =>
  `${ADD_PRODUCT}?like=${_id}${isSame ? "&again=true" : ""}`;
