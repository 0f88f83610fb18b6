import { useState } from "react";
import { useForm } from "react-hook-form";
import { useConfigQuery } from "@/api/config";
import { type ApiError, toApiError } from "@/api/errors";
import * as t from "@/texts/account";
import { Button, Field } from "@/ui";
import { DemoMail } from "@/ui/DemoMail";
import { Section } from "./Section";
import { useChangeEmailMutation } from "./sessions";

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
      {sentTo && !isOpen && config.demoLogins && <DemoMail to={sentTo} />}
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
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { email: "", password: "" },
  });
  const { errors, isSubmitting } = formState;

  const showError = ({ message, fields = {} }: ApiError) => {
    const names = (["email", "password"] as const).filter((name) => fields[name]);
    for (const name of names) setError(name, { message: fields[name] }, { shouldFocus: true });
    if (names.length === 0) setFailure(message);
  };
  const onSubmit = async (values: Values) => {
    setFailure(null);
    const { error } = await change(hasPassword ? values : { email: values.email });
    if (error) showError(toApiError(error));
    else onSent(values.email.trim());
  };

  return (
    <form noValidate onSubmit={(event) => void handleSubmit(onSubmit)(event)} className="grid max-w-md gap-5">
      <Field
        label={t.newEmail}
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...register("email", { required: t.emailRequired })}
      />
      {hasPassword && (
        <Field
          label={t.currentPassword}
          type="password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...register("password", { required: t.passwordRequired })}
        />
      )}
      {failure && (
        <p role="alert" className="rounded-sm bg-danger-soft px-3 py-2 text-danger">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isSubmitting}>
          {t.sendLink}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t.cancel}
        </Button>
      </div>
    </form>
  );
}
