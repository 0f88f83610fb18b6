import { useState } from "react";
import { type Control, useForm, useWatch } from "react-hook-form";
import { useDispatch } from "react-redux";
import { Link, useNavigate } from "react-router-dom";
import { type ApiError, toApiError } from "@/api/errors";
import type { LoginOrigin } from "@/lib/loginOrigin";
import * as t from "@/texts/auth";
import { logIn } from "@/texts/loginReasons";
import { Button, Field, PasswordField, Trans, useToast } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { ClosedAccount } from "./ClosedAccount";
import { CodeForm } from "./CodeForm";
import { DemoLogins } from "./DemoLogins";
import { useSignInMutation } from "./endpoints";
import { fieldRules } from "./fieldRules";
import { GoogleButton } from "./GoogleButton";
import { googleError } from "./googleErrors";
import type { AuthDispatch } from "./sessionEnd";
import { completeSignIn } from "./sessionThunks";
import { useCookieCheck } from "./useCookieCheck";

interface Values {
  email: string;
  password: string;
}

export interface Props {
  /** Where to go after the sign-in. */
  origin: LoginOrigin;
  /** What the user needs an account for; see useLoginPurpose. */
  purpose: string | null;
  /** What was typed before. */
  email?: string;
  /** Why the session ended, if the server ended it. */
  notice?: string | null;
  /** The error code of a failed Google sign-in, from the URL. */
  googleFailure?: string | null;
  /** Whether a Google sign-in still takes the code of an authenticator app. */
  takesCode?: boolean;
}

/** The login form. Its route redirects as soon as somebody is signed in. */
export function SignIn({
  origin,
  purpose,
  email = "",
  notice = null,
  googleFailure = null,
  takesCode = false,
}: Props) {
  const [needsCode, setNeedsCode] = useState(takesCode);
  const [closed, setClosed] = useState<ApiError["closed"]>();
  const dispatch = useDispatch<AuthDispatch>();
  const navigate = useNavigate();
  const toast = useToast();
  const [signIn] = useSignInMutation();
  const [failure, setFailure] = useState(googleError(googleFailure));
  const { cookieFailure, mayBeginSession } = useCookieCheck();
  const { register, control, handleSubmit, formState, reset } = useForm<Values>({
    defaultValues: { email, password: "" },
  });
  const { errors, isSubmitting } = formState;

  const onSubmit = async (values: Values) => {
    setFailure(null);
    if (!mayBeginSession()) return;
    try {
      const user = await signIn(values).unwrap();
      await dispatch(completeSignIn(user));
      toast(t.signedIn);
    } catch (error) {
      const { code, message, closed } = toApiError(error);
      if (closed) setClosed(closed);
      else if (code === "second_factor") setNeedsCode(true);
      else if (code === "second_factor_required") navigate("/secondFactor", { state: origin });
      else setFailure(message);
    }
  };

  if (needsCode) return <CodeForm returnTo={origin.from} onBack={() => setNeedsCode(false)} />;
  if (closed) return <ClosedAccount {...closed} onBack={() => setClosed(undefined)} />;
  return (
    <AuthCard
      title={t.login}
      reason={notice ? null : purpose && logIn(purpose)}
      foot={
        <Trans
          text={t.newHere}
          values={{
            link: (words) => (
              <Link to="/signUp" state={origin} className="font-medium text-brand underline">
                {words}
              </Link>
            ),
          }}
        />
      }
    >
      {notice && <p className="rounded-sm bg-accent-soft px-3 py-2 text-accent">{notice}</p>}
      <form noValidate onSubmit={handleSubmit(onSubmit)} className="grid gap-5">
        <Field
          label={t.email}
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register("email", fieldRules.email)}
        />
        <div className="grid gap-1">
          <PasswordField
            label={t.password}
            error={errors.password?.message}
            {...register("password", fieldRules.password)}
          />
          <ForgotLink control={control} origin={origin} />
        </div>
        <Button type="submit" busy={isSubmitting}>
          {t.login}
        </Button>
        <FormError message={cookieFailure ?? failure} />
      </form>
      <DemoLogins onPick={({ email, password }) => reset({ email, password })} />
      <GoogleButton returnTo={origin.from} mayBeginSession={mayBeginSession} />
    </AuthCard>
  );
}

/** Passes the typed email on to the other form. */
function ForgotLink({ control, origin }: { control: Control<Values>; origin: LoginOrigin }) {
  const email = useWatch({ control, name: "email" });
  return (
    <Link
      to="/forgot"
      state={{ ...origin, email }}
      className="inline-flex min-h-9 items-center justify-self-end font-medium text-brand text-sm underline"
    >
      {t.forgot}
    </Link>
  );
}
