import { useState } from "react";
import { useForm } from "react-hook-form";
import { useConfigQuery } from "@/api/config";
import { toApiError } from "@/api/errors";
import { useFormErrors } from "@/api/useFormErrors";
import { cleanEmail } from "@/lib/cleanText";
import * as t from "@/texts/account";
import { Button, Field, PasswordField } from "@/ui";
import { DemoEmail } from "@/ui/DemoEmail";
import { AccountForm } from "./AccountForm";
import { useChangeEmailMutation } from "./endpoints";
import { Section } from "./Section";

interface Values {
  email: string;
  password: string;
}

/** The address, with a form to change it, where email is sent: the new address is confirmed by a link. */
export function ChangeEmail({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const { data: config } = useConfigQuery();
  const [isOpen, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  if (!config?.mail) return null;
  const onSent = (address: string) => {
    setOpen(false);
    setSentTo(address);
  };
  return (
    <Section title={t.emailTitle}>
      <p className="break-words text-muted">{t.emailLead(email)}</p>
      {sentTo && !isOpen && (
        <p role="status" className="break-words rounded-sm bg-brand-soft px-3 py-2">
          {t.emailLinkSent(sentTo)}
        </p>
      )}
      {sentTo && !isOpen && config.mailbox && <DemoEmail mailbox={config.mailbox} to={sentTo} />}
      {isOpen ? (
        <EmailForm hasPassword={hasPassword} onSent={onSent} onCancel={() => setOpen(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setOpen(true)} className="justify-self-start">
          {t.changeEmail}
        </Button>
      )}
    </Section>
  );
}

interface FormProps {
  hasPassword: boolean;
  onSent: (email: string) => void;
  onCancel: () => void;
}

function EmailForm({ hasPassword, onSent, onCancel }: FormProps) {
  const [change] = useChangeEmailMutation();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { email: "", password: "" },
  });
  const { errors, isSubmitting } = formState;

  const { failure, showError, clearFailure } = useFormErrors(setError, ["email", "password"]);
  const onSubmit = async (values: Values) => {
    clearFailure();
    const { error } = await change(hasPassword ? values : { email: values.email });
    if (error) showError(toApiError(error));
    else onSent(values.email);
  };

  return (
    <AccountForm
      onSubmit={(event) => void handleSubmit(onSubmit)(event)}
      submit={t.sendLink}
      busy={isSubmitting}
      failure={failure}
      onCancel={onCancel}
    >
      <Field
        label={t.newEmail}
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...register("email", { setValueAs: cleanEmail, required: t.emailRequired })}
      />
      {hasPassword && (
        <PasswordField
          label={t.currentPassword}
          error={errors.password?.message}
          {...register("password", { required: t.passwordRequired })}
        />
      )}
    </AccountForm>
  );
}
