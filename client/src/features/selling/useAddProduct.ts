import { useState } from "react";
import { type ApiError, toApiError } from "@/api/errors";
import type { Brand, SignedInUser } from "@/api/types";
import { useAddProductMutation } from "./endpoints";
import { type FormValues, newProductOf } from "./formValues";
import type { Uploads } from "./uploads";

/** Adds a phone whose photographs are all there. */
export function useAddProduct(uploads: Uploads) {
  const [add, { isLoading }] = useAddProductMutation();
  const [failure, setFailure] = useState<ApiError | null>(null);
  /** Resolves to null when the phone is listed, else to what went wrong. */
  const submit = async (typed: FormValues, brand: Brand, me: SignedInUser): Promise<ApiError | null> => {
    setFailure(null);
    const { error } = await add(newProductOf(typed, uploads.snapshot(), brand, me));
    const wrong = error ? toApiError(error) : null;
    setFailure(wrong);
    return wrong;
  };
  return { submit, failure, isLoading };
}
