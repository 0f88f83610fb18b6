import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useFormErrors } from "@/api/useFormErrors";
import { cleanLines } from "@/lib/cleanText";
import * as t from "@/texts/decisions";
import { Button, buttonClass, Textarea } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { isGone, useAppealMutation } from "./recovery";
import { useAuth } from "./useAuth";
import { useLinkToken } from "./useLinkToken";

/** /appeal: asks to look again at a decision, by the link of its letter, also for those who cannot log in. */
export function Appeal() {
  const token = useLinkToken();
  const [goneToken, setGoneToken] = useState<string>();
  const [isSent, setSent] = useState(false);
  let content = <LinkGone />;
  if (isSent) content = <Sent />;
  else if (token !== null && token !== goneToken)
    content = <AppealForm token={token} onSent={() => setSent(true)} onGone={() => setGoneToken(token)} />;
  return <AuthCard title={t.lookAgain}>{content}</AuthCard>;
}

function Sent() {
  return (
    <>
      <p role="status" className="text-lg">
        {t.sent}
      </p>
      <Link to="/" className={buttonClass({ variant: "secondary" })}>
        {t.toHome}
      </Link>
    </>
  );
}

function LinkGone() {
  const { user } = useAuth();
  return (
    <>
      <p role="alert">{t.linkGone}</p>
      <Link to={user ? "/dashboard/decisions" : "/"} className={buttonClass({ variant: "secondary" })}>
        {user ? t.toDecisions : t.toHome}
      </Link>
    </>
  );
}

interface FormProps {
  token: string;
  onSent: () => void;
  onGone: () => void;
}

function AppealForm({ token, onSent, onGone }: FormProps) {
  const [appeal] = useAppealMutation();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { text: "" } });
  const { failure, showError, clearFailure } = useFormErrors(setError, ["text"]);
  const onSubmit = async ({ text }: { text: string }) => {
    clearFailure();
    const { error } = await appeal({ token, text });
    if (!error) onSent();
    else if (isGone(error)) onGone();
    else showError(toApiError(error));
  };
  return (
    <form noValidate onSubmit={handleSubmit(onSubmit)} className="grid gap-5">
      <p>{t.appealLead}</p>
      <Textarea
        label={t.yourText}
        hint={t.textHint}
        rows={6}
        maxLength={2000}
        error={formState.errors.text?.message}
        {...register("text", { setValueAs: cleanLines, validate: (text) => text !== "" || t.textMissing })}
      />
      <Button type="submit" busy={formState.isSubmitting}>
        {t.send}
      </Button>
      <FormError message={failure} />
    </form>
  );
}
