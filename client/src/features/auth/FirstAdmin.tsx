import { useState } from "react";
import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { useNavigate } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useFormErrors } from "@/api/useFormErrors";
import * as t from "@/texts/auth";
import { Button, Field, NewPasswordField, useToast } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { fieldRules } from "./fieldRules";
import { useMakeFirstAdminMutation } from "./recovery";
import { type AuthDispatch, completeSignIn } from "./sessionThunks";
import { useLinkToken } from "./useLinkToken";

/** /setup: makes the first admin of a new market, by the link that its server printed. */
export function FirstAdmin() {
  const token = useLinkToken();
  const [isGone, setGone] = useState(token === null);
  return (
    <AuthCard title={t.setupTitle}>
      {isGone || token === null ? (
        <p role="alert">{t.setupGone}</p>
      ) : (
        <SetupForm token={token} onGone={() => setGone(true)} />
      )}
    </AuthCard>
  );
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

  const onSubmit = async (values: Values) => {
    clearFailure();
    try {
      await dispatch(completeSignIn(await makeFirstAdmin({ token, ...values }).unwrap()));
      toast(t.setupDone);
      navigate("/dashboard", { replace: true });
    } catch (error) {
      const reason = toApiError(error);
      if (reason.status === 410) onGone();
      else showError(reason);
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
      <FormError message={failure} />
    </form>
  );
}
