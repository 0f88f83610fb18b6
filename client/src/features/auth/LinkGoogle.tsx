import { useState } from "react";
import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { useNavigate } from "react-router-dom";
import { errorMessage } from "@/api/errors";
import * as t from "@/texts/auth";
import { Button, PasswordField, useToast } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { useLinkGoogleMutation } from "./endpoints";
import { fieldRules } from "./fieldRules";
import type { AuthDispatch } from "./sessionEnd";
import { completeSignIn } from "./sessionThunks";
import { useCookieCheck } from "./useCookieCheck";

/** Asks for the password of the account that has the same email as the Google sign-in. */
export function LinkGoogle() {
  const dispatch = useDispatch<AuthDispatch>();
  const navigate = useNavigate();
  const toast = useToast();
  const [link] = useLinkGoogleMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const { cookieFailure, mayBeginSession } = useCookieCheck();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { password: "" } });

  const onSubmit = async (values: { password: string }) => {
    setFailure(null);
    if (!mayBeginSession()) return;
    try {
      const { user, returnTo } = await link(values).unwrap();
      await dispatch(completeSignIn(user));
      toast(t.signedIn);
      navigate(returnTo || "/", { replace: true });
    } catch (error) {
      setFailure(errorMessage(error));
    }
  };

  return (
    <AuthCard title={t.linkTitle}>
      <p className="text-muted">{t.linkLead}</p>
      <form noValidate onSubmit={handleSubmit(onSubmit)} className="grid gap-5">
        <PasswordField
          label={t.password}
          error={formState.errors.password?.message}
          {...register("password", fieldRules.password)}
        />
        <Button type="submit" busy={formState.isSubmitting}>
          {t.linkConfirm}
        </Button>
        <FormError message={cookieFailure ?? failure} />
      </form>
    </AuthCard>
  );
}
