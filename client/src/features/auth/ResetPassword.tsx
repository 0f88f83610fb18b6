import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { Link, useNavigate } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { sessionEnded } from "@/api/sessionSlice";
import { useFormErrors } from "@/api/useFormErrors";
import * as t from "@/texts/auth";
import { Button, buttonClass, NewPasswordField, Spinner } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { fieldRules } from "./fieldRules";
import { isGone, useResetPasswordMutation } from "./recovery";
import { useCookieCheck } from "./useCookieCheck";
import { useGoneLink } from "./useGoneLink";

/** /reset: sets a new password by the link in an email. Somebody who is signed in here is signed out with it. */
export function ResetPassword() {
  const { token, isLoading, onGone } = useGoneLink("/identity/reset");
  let content = <LinkGone />;
  if (isLoading) content = <Spinner />;
  else if (token !== null) content = <ResetForm key={token} token={token} onGone={onGone} />;
  return <AuthCard title={t.resetTitle}>{content}</AuthCard>;
}

function LinkGone() {
  return (
    <>
      <p role="alert">{t.linkGone}</p>
      <Link to="/forgot" className={buttonClass()}>
        {t.newLink}
      </Link>
    </>
  );
}

function ResetForm({ token, onGone }: { token: string; onGone: () => void }) {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [resetPassword] = useResetPasswordMutation();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: "" } });
  const { failure, showError, clearFailure } = useFormErrors(setError, ["password"]);
  const { cookieFailure, mayBeginSession } = useCookieCheck();

  const onSubmit = async ({ password }: { password: string }) => {
    clearFailure();
    if (!mayBeginSession()) return;
    const { error: reason } = await resetPassword({ token, password });
    if (!reason) {
      dispatch(sessionEnded({ by: "server", reason: t.passwordReset }));
      navigate("/login", { replace: true });
      return;
    }
    if (isGone(reason)) onGone();
    else showError(toApiError(reason));
  };

  return (
    <form noValidate onSubmit={handleSubmit(onSubmit)} className="grid gap-5">
      <NewPasswordField
        label={t.newPassword}
        error={formState.errors.password?.message}
        {...register("password", fieldRules.password)}
      />
      <Button type="submit" busy={formState.isSubmitting}>
        {t.savePassword}
      </Button>
      <FormError message={cookieFailure ?? failure} />
    </form>
  );
}
