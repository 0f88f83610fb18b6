import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { useNavigate } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useFormErrors } from "@/api/useFormErrors";
import { cleanCode } from "@/lib/cleanText";
import * as t from "@/texts/auth";
import { Button, Field, useToast } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { useEnterCodeMutation } from "./endpoints";
import type { AuthDispatch } from "./sessionEnd";
import { completeSignIn } from "./sessionThunks";
import { useCookieCheck } from "./useCookieCheck";

interface Props {
  /** Where to go after the sign-in. */
  returnTo: string;
  /** Called to log in again from the start. */
  onBack: () => void;
}

/** The second step of a login: the code of an authenticator app, or a recovery code. */
export function CodeForm({ returnTo, onBack }: Props) {
  const dispatch = useDispatch<AuthDispatch>();
  const navigate = useNavigate();
  const toast = useToast();
  const [enterCode] = useEnterCodeMutation();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { code: "" } });
  const { failure, showError, clearFailure } = useFormErrors(setError, ["code"]);
  const { cookieFailure, mayBeginSession } = useCookieCheck();

  const onSubmit = async (values: { code: string }) => {
    clearFailure();
    if (!mayBeginSession()) return;
    try {
      await dispatch(completeSignIn(await enterCode(values).unwrap()));
      toast(t.signedIn);
      navigate(returnTo, { replace: true });
    } catch (error) {
      showError(toApiError(error));
    }
  };

  return (
    <AuthCard title={t.codeTitle}>
      <form noValidate onSubmit={(event) => void handleSubmit(onSubmit)(event)} className="grid gap-5">
        <Field
          label={t.code}
          hint={t.codeHint}
          autoComplete="one-time-code"
          error={formState.errors.code?.message}
          {...register("code", { setValueAs: cleanCode, required: t.codeRequired })}
        />
        <Button type="submit" busy={formState.isSubmitting}>
          {t.login}
        </Button>
        <FormError message={cookieFailure ?? failure} />
      </form>
      <Button variant="quiet" onClick={onBack} className="justify-self-start">
        {t.codeBack}
      </Button>
    </AuthCard>
  );
}
