import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { useNavigate } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useFormErrors } from "@/api/useFormErrors";
import * as t from "@/texts/auth";
import { Button, Field, NewPasswordField, Spinner, useToast } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { fieldRules } from "./fieldRules";
import { isGone, useMakeFirstAdminMutation } from "./recovery";
import type { AuthDispatch } from "./sessionEnd";
import { completeSignIn } from "./sessionThunks";
import { useCookieCheck } from "./useCookieCheck";
import { useGoneLink } from "./useGoneLink";

/** /setup: makes the first admin of a new market, by the link that its server printed. */
export function FirstAdmin() {
  const { token, isLoading, onGone } = useGoneLink("/identity/first-admin");
  let content = <p role="alert">{t.setupGone}</p>;
  if (isLoading) content = <Spinner />;
  else if (token !== null) content = <SetupForm token={token} onGone={onGone} />;
  return <AuthCard title={t.setupTitle}>{content}</AuthCard>;
}

interface Values {
  displayName: string;
  email: string;
  password: string;
}

function SetupForm({ token, onGone }: { token: string; onGone: () => void }) {
  const dispatch = useDispatch<AuthDispatch>();
  const navigate = useNavigate();
  const toast = useToast();
  const [makeFirstAdmin] = useMakeFirstAdminMutation();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { displayName: "", email: "", password: "" },
  });
  const { errors, isSubmitting } = formState;
  const { failure, showError, clearFailure } = useFormErrors(setError, ["displayName", "email", "password"]);
  const { cookieFailure, mayBeginSession } = useCookieCheck();

  const onSubmit = async (values: Values) => {
    clearFailure();
    if (!mayBeginSession()) return;
    try {
      await dispatch(completeSignIn(await makeFirstAdmin({ token, ...values }).unwrap()));
      toast(t.setupDone);
      navigate("/dashboard", { replace: true });
    } catch (error) {
      if (isGone(error)) onGone();
      else showError(toApiError(error));
    }
  };

  return (
    <form noValidate onSubmit={(event) => void handleSubmit(onSubmit)(event)} className="grid gap-5">
      <p className="text-muted">{t.setupLead}</p>
      <Field
        label={t.name}
        autoComplete="name"
        error={errors.displayName?.message}
        {...register("displayName", fieldRules.name)}
      />
      <Field
        label={t.email}
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...register("email", fieldRules.email)}
      />
      <NewPasswordField
        label={t.password}
        error={errors.password?.message}
        {...register("password", fieldRules.password)}
      />
      <Button type="submit" busy={isSubmitting}>
        {t.createAdmin}
      </Button>
      <FormError message={cookieFailure ?? failure} />
    </form>
  );
}
