import { type DefaultValues, type FieldValues, type Path, useForm } from "react-hook-form";
import { toApiError } from "@/api/errors";
import type { FulfilmentRequest } from "@/api/types";
import { useFormErrors } from "@/api/useFormErrors";
import { useFulfilMutation } from "./orderEndpoints";

/**
 * A form that takes an order one step on. After an error it keeps what was typed. It is busy until the order has changed
 * on the screen, which takes the form away.
 */
export function useStep<V extends FieldValues>(
  id: string,
  names: Path<V>[],
  defaultValues: DefaultValues<V>,
) {
  const [fulfil, { isLoading, isSuccess }] = useFulfilMutation();
  const form = useForm<V>({ defaultValues });
  const { failure, showError, clearFailure } = useFormErrors(form.setError, names);
  const send = async (step: FulfilmentRequest) => {
    clearFailure();
    const { error } = await fulfil({ id, ...step });
    if (error) showError(toApiError(error));
  };
  return { form, send, failure, isBusy: isLoading || isSuccess };
}
