import { useState } from "react";
import { useForm } from "react-hook-form";
import { type ApiError, toApiError } from "@/api/errors";
import * as t from "@/texts/account";
import { Button, Field, NewPasswordField, useToast } from "@/ui";
import { Section } from "./Section";
import { useChangePasswordMutation } from "./sessions";

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
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { current: "", new: "" },
  });
  const { errors, isSubmitting } = formState;

  const showError = ({ message, fields = {} }: ApiError) => {
    const names = (["current", "new"] as const).filter((name) => fields[name]);
    for (const name of names) setError(name, { message: fields[name] }, { shouldFocus: true });
    if (names.length === 0) setFailure(message);
  };
  const onSubmit = async (values: Values) => {
    setFailure(null);
    const { error } = await change(hasPassword ? values : { new: values.new });
    if (error) showError(toApiError(error));
    else onDone();
  };

  return (
    <form noValidate onSubmit={(event) => void handleSubmit(onSubmit)(event)} className="grid max-w-md gap-5">
      {hasPassword && (
        <Field
          label={t.currentPassword}
          type="password"
          autoComplete="current-password"
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
      {failure && (
        <p role="alert" className="rounded-sm bg-danger-soft px-3 py-2 text-danger">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isSubmitting}>
          {t.savePassword}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t.cancel}
        </Button>
      </div>
    </form>
  );
}
