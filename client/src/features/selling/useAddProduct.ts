import { useState } from "react";
import { type ApiError, toApiError } from "@/api/errors";
import type { Uploads } from "@/api/images/uploads";
import type { Brand, SignedInUser } from "@/api/types";
import { useAddProductMutation } from "./endpoints";
import { type FormValues, toNewProduct } from "./formValues";

/** Adds a phone whose photos are all uploaded. */
export function useAddProduct(uploads: Uploads) {
  const [add, { isLoading }] = useAddProductMutation();
  const [error, setError] = useState<ApiError | null>(null);
  /** Resolves to null if the phone was added, otherwise to the error. */
  const submit = async (values: FormValues, brand: Brand, me: SignedInUser): Promise<ApiError | null> => {
    setError(null);
    const { error: reason } = await add(toNewProduct(values, uploads.getSnapshot(), brand, me));
    const apiError = reason ? toApiError(reason) : null;
    setError(apiError);
    return apiError;
  };
  return { submit, error, isLoading };
}
