import { type DefaultValues, type FieldValues, type Path, useForm } from "react-hook-form";
import { toApiError } from "@/api/errors";
import type { FulfilmentRequest } from "@/api/types";
import { useFormErrors } from "@/api/useFormErrors";
import { useFulfilMutation } from "./endpoints";

/**
 * The form of a step of an order. `send` resolves to whether the server has accepted the step. After an error
 * the form keeps what was typed. After a success it stays busy, because the changed order removes it from the screen.
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
    return !error;
  };
  return { form, send, failure, isBusy: isLoading || isSuccess };
}
