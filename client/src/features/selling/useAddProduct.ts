import { useRef, useState } from "react";
import { useConfigQuery } from "@/api/config";
import { type ApiError, toApiError } from "@/api/errors";
import type { Brand, NewProduct, Product, SignedInUser } from "@/api/types";
import { useAddProductMutation, useUploadImageMutation } from "./endpoints";

/** What the seller types and chooses; names are the payload's, the photograph is `image`. */
export interface Typed {
  name: string;
  brand: string;
  originalPrice: string;
  resalePrice: string;
  productCondition: Product["productCondition"] | "";
  usedTime: string;
  description: string;
  location: string;
  phone: string;
  selling_post_date: string;
  image: FileList | null;
}

/** The payload of what was typed. */
function payloadOf(typed: Typed, img: string, brand: Brand, me: SignedInUser): NewProduct {
  return {
    name: typed.name.trim(),
    brand: brand.name,
    id: brand._id,
    img,
    originalPrice: Number(typed.originalPrice),
    resalePrice: Number(typed.resalePrice),
    productCondition: typed.productCondition as Product["productCondition"],
    usedTime: typed.usedTime.trim(),
    description: typed.description.trim(),
    sellerName: me.displayName,
    email: me.email,
    location: typed.location.trim(),
    phone: typed.phone.trim(),
    selling_post_date: typed.selling_post_date,
  };
}

/** Adds a phone: first its photograph, then the phone itself. A photograph that has arrived is not sent again. */
export function useAddProduct() {
  const config = useConfigQuery();
  const [upload] = useUploadImageMutation();
  const [add] = useAddProductMutation();
  const [busy, setBusy] = useState(false);
  const uploaded = useRef<{ file: File; url: string } | null>(null);

  const imageUrl = async (file: File): Promise<string> => {
    if (uploaded.current?.file === file) return uploaded.current.url;
    const { imageHost } = config.data ?? (await config.refetch().unwrap());
    const url = await upload({ host: imageHost, file }).unwrap();
    uploaded.current = { file, url };
    return url;
  };

  /** Resolves to null when the phone is listed, else to what went wrong. */
  const submit = async (typed: Typed, brand: Brand, me: SignedInUser): Promise<ApiError | null> => {
    const file = typed.image?.[0];
    if (!file) return null;
    setBusy(true);
    try {
      await add(payloadOf(typed, await imageUrl(file), brand, me)).unwrap();
      return null;
    } catch (error) {
      return toApiError(error);
    } finally {
      setBusy(false);
    }
  };
  return { submit, busy };
}
