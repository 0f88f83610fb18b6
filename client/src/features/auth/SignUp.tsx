import { useState } from "react";
import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { Link } from "react-router-dom";
import { toApiError } from "@/api/errors";
import type { User } from "@/api/types";
import { newFormKey } from "@/lib/formKey";
import * as t from "@/texts/auth";
import { signUp as reasonToSignUp } from "@/texts/loginReasons";
import { Button, Field, NewPasswordField, RadioCard, RadioGroup, Trans, useToast } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { useSignUpMutation } from "./endpoints";
import { fieldRules } from "./fieldRules";
import { GoogleButton } from "./GoogleButton";
import type { Props as SignInProps } from "./SignIn";
import type { AuthDispatch } from "./sessionEnd";
import { completeSignIn } from "./sessionThunks";
import { useCookieCheck } from "./useCookieCheck";

interface Values {
  name: string;
  email: string;
  password: string;
  accountType: User["accountType"] | "";
  key: string;
}

const ACCOUNT_TYPES = ["User", "Seller"] as const;

/** The form field of each field of the server's validation errors. */
const CONTROLS = new Map<string, "name" | "email" | "password">([
  ["displayName", "name"],
  ["email", "email"],
  ["password", "password"],
]);

interface Props extends Pick<SignInProps, "origin" | "purpose"> {
  /** The account type that the way to the form suggests; "" for none. */
  suggestedType: Values["accountType"];
}

/** The sign-up form. Its route redirects as soon as somebody is signed in. */
export function SignUp({ origin, purpose, suggestedType }: Props) {
  const dispatch = useDispatch<AuthDispatch>();
  const toast = useToast();
  const [signUp] = useSignUpMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const { cookieFailure, mayBeginSession } = useCookieCheck();
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: {
      name: "",
      email: "",
      password: "",
      accountType: suggestedType,
      key: newFormKey(),
    },
  });
  const { errors, isSubmitting } = formState;

  const onSubmit = async ({ name, email, password, accountType, key }: Values) => {
    setFailure(null);
    if (!mayBeginSession()) return;
    try {
      const user = await signUp({ email, password, displayName: name, key }).unwrap();
      await dispatch(completeSignIn(user, accountType === "Seller" ? "Seller" : "User"));
      toast(t.userCreated);
    } catch (error) {
      const { message, fields = {} } = toApiError(error);
      let isMarked = false; // then the message would repeat the reason at the field
      for (const [field, words] of Object.entries(fields)) {
        const control = CONTROLS.get(field);
        if (!control) continue;
        setError(control, { message: words }, { shouldFocus: true });
        isMarked = true;
      }
      if (!isMarked) setFailure(message);
    }
  };

  return (
    <AuthCard
      title={t.signUp}
      reason={purpose && reasonToSignUp(purpose)}
      foot={
        <Trans
          text={t.notNewHere}
          values={{
            link: (words) => (
              <Link to="/login" state={origin} className="font-medium text-brand underline">
                {words}
              </Link>
            ),
          }}
        />
      }
    >
      <form noValidate onSubmit={handleSubmit(onSubmit)} className="grid gap-5">
        <Field
          label={t.name}
          autoComplete="name"
          error={errors.name?.message}
          {...register("name", fieldRules.name)}
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
        <RadioGroup label={t.accountType} error={errors.accountType?.message}>
          {ACCOUNT_TYPES.map((type) => (
            <RadioCard key={type} value={type} {...register("accountType", fieldRules.accountType)}>
              {t.accountTypes[type]}
            </RadioCard>
          ))}
        </RadioGroup>
        <Button type="submit" busy={isSubmitting}>
          {t.signUp}
        </Button>
        <FormError message={cookieFailure ?? failure} />
      </form>
      <GoogleButton returnTo={origin.from} mayBeginSession={mayBeginSession} />
    </AuthCard>
  );
}
