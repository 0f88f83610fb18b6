import { useState } from "react";
import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { useNavigate } from "react-router-dom";
import { messageOf } from "@/api/errors";
import { Button, Field, useToast } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { useLinkGoogleMutation } from "./endpoints";
import { rules } from "./rules";
import { type AuthDispatch, enter } from "./session";

/** Asks once for the password of the account that a Google sign-in shares its e-mail with. */
export function LinkGoogle() {
  const dispatch = useDispatch<AuthDispatch>();
  const navigate = useNavigate();
  const toast = useToast();
  const [link] = useLinkGoogleMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm({ defaultValues: { password: "" } });

  const onSubmit = async (values: { password: string }) => {
    setFailure(null);
    try {
      const { user, returnTo } = await link(values).unwrap();
      await dispatch(enter(user));
      toast("SignIn Successful");
      navigate(returnTo || "/", { replace: true });
    } catch (error) {
      setFailure(messageOf(error));
    }
  };

  return (
    <AuthCard title="Link your Google account">
      <p className="text-muted">
        This Google address already has a SecondRing account. Confirm your password once to link the two; from
        then on either way signs you in.
      </p>
      <form noValidate onSubmit={handleSubmit(onSubmit)} className="grid gap-5">
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register("password", rules.password)}
        />
        <Button type="submit" busy={formState.isSubmitting}>
          Confirm and link
        </Button>
        <FormError message={failure} />
      </form>
    </AuthCard>
  );
}
