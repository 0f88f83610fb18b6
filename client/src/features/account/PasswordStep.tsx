import { useState } from "react";
import { useForm } from "react-hook-form";
import type { ApiError } from "@/api/errors";
import * as t from "@/texts/secondFactor";
import { Button, Field } from "@/ui";

interface Props {
  /** An account of Google may have no password; then the form has only its button. */
  hasPassword: boolean;
  submit: string;
  /** Returns the error of the server, if there is one. */
  onSubmit: (body: { password?: string }) => Promise<ApiError | undefined>;
  onCancel?: (() => void) | undefined;
}

/** A form for the password, before something that only the owner may do. */
export function PasswordStep({ hasPassword, submit, onSubmit, onCancel }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: "" } });
  const onPassword = async (values: { password: string }) => {
    setFailure(null);
    const error = await onSubmit(hasPassword ? values : {});
    if (error?.fields?.password)
      setError("password", { message: error.fields.password }, { shouldFocus: true });
    else if (error) setFailure(error.message);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => void handleSubmit(onPassword)(event)}
      className="grid max-w-md gap-5"
    >
      {hasPassword && (
        <Field
          label={t.currentPassword}
          type="password"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register("password", { required: t.passwordRequired })}
        />
      )}
      {failure && (
        <p role="alert" className="rounded-sm bg-danger-soft px-3 py-2 text-danger">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={formState.isSubmitting}>
          {submit}
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            {t.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
