import { type ReactNode, useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import { toApiError } from "@/api/errors";
import type { Config } from "@/api/types";
import { useFormErrors } from "@/api/useFormErrors";
import type { LoginOrigin } from "@/lib/loginOrigin";
import { telHref } from "@/lib/telHref";
import * as t from "@/texts/auth";
import { Button, Field, Spinner, Trans, useToast } from "@/ui";
import { DemoEmail } from "@/ui/DemoEmail";
import { AuthCard, FormError } from "./AuthCard";
import { fieldRules } from "./fieldRules";
import { useForgotPasswordMutation } from "./recovery";

const LINK = "font-medium text-brand underline";

interface Props {
  /** Where to go after the login. */
  origin: LoginOrigin;
  /** What was typed on the login. */
  email: string;
}

/** /forgot: sends a link to choose a new password; where no email is sent, how to reach us. */
export function ForgotPassword({ origin, email }: Props) {
  const { data: config, isLoading } = useConfigQuery();
  const [sentTo, setSentTo] = useState<string | null>(null);
  let content: ReactNode;
  if (isLoading) content = <Spinner />;
  else if (config && !config.mail) content = <NoEmail contact={config.contact} />;
  else if (sentTo === null) content = <ForgotForm email={email} onSent={setSentTo} />;
  else content = <Sent email={sentTo} mailbox={config?.mailbox} onOther={() => setSentTo(null)} />;
  return (
    <AuthCard
      title={t.forgotTitle}
      foot={
        <Trans
          text={t.backToLogin}
          values={{
            link: (words) => (
              <Link to="/login" state={{ ...origin, email: sentTo ?? email }} className={LINK}>
                {words}
              </Link>
            ),
          }}
        />
      }
    >
      {content}
    </AuthCard>
  );
}

interface FormProps {
  email: string;
  onSent: (email: string) => void;
}

function ForgotForm({ email, onSent }: FormProps) {
  const [send] = useForgotPasswordMutation();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { email } });
  const { failure, showError, clearFailure } = useFormErrors(setError, ["email"]);
  const onSubmit = async (values: { email: string }) => {
    clearFailure();
    const { error } = await send(values);
    if (!error) return onSent(values.email);
    showError(toApiError(error));
  };
  return (
    <form noValidate onSubmit={handleSubmit(onSubmit)} className="grid gap-5">
      <p className="text-muted">{t.forgotLead}</p>
      <Field
        label={t.email}
        type="email"
        autoComplete="email"
        error={formState.errors.email?.message}
        {...register("email", fieldRules.email)}
      />
      <Button type="submit" busy={formState.isSubmitting}>
        {t.sendLink}
      </Button>
      <FormError message={failure} />
    </form>
  );
}

interface SentProps {
  email: string;
  mailbox: string | undefined;
  onOther: () => void;
}

/** The confirmation; it says the same for everybody. */
function Sent({ email, mailbox, onOther }: SentProps) {
  const [send, { isLoading }] = useForgotPasswordMutation();
  const toast = useToast();
  // The pressed button is gone.
  const confirmation = useRef<HTMLDivElement>(null);
  useEffect(() => confirmation.current?.focus(), []);
  const onAgain = async () => {
    const { error } = await send({ email });
    if (error) toast(toApiError(error).message, "error");
    else toast(t.sentAgain);
  };
  return (
    <div className="grid gap-6">
      <div ref={confirmation} tabIndex={-1} className="grid gap-3 outline-none">
        <p className="text-lg">{t.linkSent}</p>
        <p className="text-muted">
          <Trans text={t.sentTo} values={{ email: <bdi className="wrap-anywhere text-ink">{email}</bdi> }} />
        </p>
      </div>
      {mailbox && <DemoEmail mailbox={mailbox} to={email} />}
      <div className="grid gap-3 sm:flex">
        <Button variant="secondary" busy={isLoading} onClick={() => void onAgain()}>
          {t.sendAgain}
        </Button>
        <Button variant="quiet" onClick={onOther}>
          {t.otherEmail}
        </Button>
      </div>
    </div>
  );
}

function NoEmail({ contact }: { contact: Config["contact"] }) {
  if (!contact.email && !contact.phone) return <p>{t.noEmailNoContact}</p>;
  return (
    <>
      <p>{t.noEmail}</p>
      <ul className="grid justify-items-start gap-2 text-lg">
        {contact.email && (
          <li>
            <a href={`mailto:${contact.email}`} className={`${LINK} wrap-anywhere`}>
              {contact.email}
            </a>
          </li>
        )}
        {contact.phone && (
          <li>
            <a href={telHref(contact.phone)} className={LINK}>
              {contact.phone}
            </a>
          </li>
        )}
      </ul>
    </>
  );
}
