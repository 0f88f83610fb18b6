import { useState } from "react";
import type { FieldValues, Path, UseFormSetError } from "react-hook-form";
import type { ApiError } from "./errors";

/** The server's errors in a form: those of `names` are shown at their fields, any other is `failure`. */
export function useFormErrors<V extends FieldValues>(
  setError: UseFormSetError<V>,
  names: readonly Path<V>[],
) {
  const [failure, setFailure] = useState<string | null>(null);
  const showError = ({ message, fields = {} }: ApiError) => {
    const wrong = names.filter((name) => fields[name]);
    for (const name of wrong) setError(name, { message: fields[name] }, { shouldFocus: true });
    if (wrong.length === 0) setFailure(message);
  };
  return { failure, showError, clearFailure: () => setFailure(null) };
}
