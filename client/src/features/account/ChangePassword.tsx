import { useState } from "react";
import { useForm } from "react-hook-form";
import { toApiError } from "@/api/errors";
import { useFormErrors } from "@/api/useFormErrors";
import * as t from "@/texts/account";
import { Button, NewPasswordField, PasswordField, useToast } from "@/ui";
import { AccountForm } from "./AccountForm";
import { useChangePasswordMutation } from "./endpoints";
import { Section } from "./Section";

const MIN_LENGTH = 6;

interface Values {
  current: string;
  new: string;
}

/** The password, with a form that opens when it is to be changed; an account of Google may have none yet. */
export function ChangePassword({ hasPassword, onChanged }: { hasPassword: boolean; onChanged: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const toast = useToast();
  const onDone = () => {
    setOpen(false);
    toast(hasPassword ? t.passwordChanged : t.passwordSet);
    onChanged();
  };
  return (
    <Section title={t.passwordTitle}>
      <p className="text-muted">{hasPassword ? t.passwordLead : t.noPassword}</p>
      {isOpen ? (
        <PasswordForm hasPassword={hasPassword} onDone={onDone} onCancel={() => setOpen(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setOpen(true)} className="justify-self-start">
          {hasPassword ? t.changePassword : t.setPassword}
        </Button>
      )}
    </Section>
  );
}

interface FormProps {
  hasPassword: boolean;
  onDone: () => void;
  onCancel: () => void;
}

function PasswordForm({ hasPassword, onDone, onCancel }: FormProps) {
  const [change] = useChangePasswordMutation();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { current: "", new: "" },
  });
  const { errors, isSubmitting } = formState;

  const { failure, showError, clearFailure } = useFormErrors(setError, ["current", "new"]);
  const onSubmit = async (values: Values) => {
    clearFailure();
    const { error } = await change(hasPassword ? values : { new: values.new });
    if (error) showError(toApiError(error));
    else onDone();
  };

  return (
    <AccountForm
      onSubmit={(event) => void handleSubmit(onSubmit)(event)}
      submit={t.savePassword}
      busy={isSubmitting}
      failure={failure}
      onCancel={onCancel}
    >
      {hasPassword && (
        <PasswordField
          label={t.currentPassword}
          error={errors.current?.message}
          {...register("current", { required: t.passwordRequired })}
        />
      )}
      <NewPasswordField
        label={t.newPassword}
        error={errors.new?.message}
        {...register("new", {
          required: t.passwordRequired,
          minLength: { value: MIN_LENGTH, message: t.passwordShort },
        })}
      />
    </AccountForm>
  );
}
