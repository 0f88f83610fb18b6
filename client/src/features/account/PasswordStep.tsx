import { useForm } from "react-hook-form";
import type { ApiError } from "@/api/errors";
import { useFormErrors } from "@/api/useFormErrors";
import * as t from "@/texts/account";
import { PasswordField } from "@/ui";
import { AccountForm } from "./AccountForm";

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
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: "" } });
  const { failure, showError, clearFailure } = useFormErrors(setError, ["password"]);
  const onPassword = async (values: { password: string }) => {
    clearFailure();
    const error = await onSubmit(hasPassword ? values : {});
    if (error) showError(error);
  };
  return (
    <AccountForm
      onSubmit={(event) => void handleSubmit(onPassword)(event)}
      submit={submit}
      busy={formState.isSubmitting}
      failure={failure}
      onCancel={onCancel}
    >
      {hasPassword && (
        <PasswordField
          label={t.currentPassword}
          error={formState.errors.password?.message}
          {...register("password", { required: t.passwordRequired })}
        />
      )}
    </AccountForm>
  );
}
