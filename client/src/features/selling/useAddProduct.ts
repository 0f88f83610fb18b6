import { useRef, useState } from "react";
import { useConfigQuery } from "@/api/config";
import { type ApiError, toApiError } from "@/api/errors";
import type { Brand, Config, NewProduct, Product, SignedInUser } from "@/api/types";
import { useAddProductMutation, useUploadImageMutation } from "./endpoints";
import type { Chosen, Progress } from "./photos";

/** What the seller types and chooses; names are the payload's, the photographs are `image`. */
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
  image: Chosen[];
}

/** The payload of what was typed. One photograph without words is `img` alone, as for other image hosts. */
function payloadOf(typed: Typed, urls: string[], brand: Brand, me: SignedInUser): NewProduct {
  const photos = typed.image.map(({ alt }, place) => ({ url: urls[place] ?? "", alt: alt.trim() }));
  const isPlain = photos.length === 1 && photos[0]?.alt === "";
  return {
    name: typed.name.trim(),
    brand: brand.name,
    id: brand._id,
    img: urls[0],
    ...(!isPlain && { photos }),
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

/** Adds a phone: first its photographs, then the phone itself. A photograph that has arrived is not sent again. */
export function useAddProduct() {
  const config = useConfigQuery();
  const [upload] = useUploadImageMutation();
  const [add] = useAddProductMutation();
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState<Progress>(new Map());
  const uploaded = useRef(new WeakMap<File, string>());

  const imageUrl = async (host: Config["imageHost"], file: File): Promise<string> => {
    const known = uploaded.current.get(file);
    if (known) return known;
    const tell = (state: "sending" | "there" | "refused" | "failed") =>
      setProgress((before) => new Map(before).set(file, state));
    tell("sending");
    try {
      const url = await upload({ host, file }).unwrap();
      uploaded.current.set(file, url);
      tell("there");
      return url;
    } catch (error) {
      // What the host will not have is no use to send again; what did not get there is.
      const { status } = toApiError(error);
      tell(status >= 400 && status < 500 ? "refused" : "failed");
      throw error;
    }
  };
  /** All addresses, in their order; when one fails the others are still waited for. */
  const imageUrls = async (photos: readonly Chosen[]): Promise<string[]> => {
    const { imageHost } = config.data ?? (await config.refetch().unwrap());
    const answers = await Promise.allSettled(photos.map(({ file }) => imageUrl(imageHost, file)));
    return answers.map((answer) => {
      if (answer.status === "rejected") throw answer.reason;
      return answer.value;
    });
  };

  /** Resolves to null when the phone is listed, else to what went wrong. */
  const submit = async (typed: Typed, brand: Brand, me: SignedInUser): Promise<ApiError | null> => {
    setBusy(true);
    try {
      await add(payloadOf(typed, await imageUrls(typed.image), brand, me)).unwrap();
      return null;
    } catch (error) {
      return toApiError(error);
    } finally {
      setBusy(false);
    }
  };
  return { submit, busy, progress };
}
