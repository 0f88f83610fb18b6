import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { toApiError } from "@/api/errors";
import { useRole } from "@/api/role";
import { userLoaded } from "@/api/sessionSlice";
import type { PersonData } from "@/api/types";
import { useFormErrors } from "@/api/useFormErrors";
import { cleanLine, cleanPhone } from "@/lib/cleanText";
import * as t from "@/texts/account";
import { Field, useToast } from "@/ui";
import { AccountForm } from "./AccountForm";
import { AccountPicture } from "./AccountPicture";
import { type ProfileValues, useChangeProfileMutation } from "./endpoints";
import { Section } from "./Section";

interface Props {
  account: PersonData["account"];
  onChanged: () => void;
}

/** The person's picture and name, and the phone number and place with which forms begin. */
export function Profile({ account, onChanged }: Props) {
  const { displayName, phone = "", location = "" } = account;
  const { role } = useRole();
  const dispatch = useDispatch();
  const toast = useToast();
  const [change] = useChangeProfileMutation();
  const { register, handleSubmit, setError, formState } = useForm<ProfileValues>({
    defaultValues: { displayName, phone, location },
  });
  const { errors, isSubmitting } = formState;
  const { failure, showError, clearFailure } = useFormErrors(setError, ["displayName", "phone", "location"]);
  const onSubmit = async (values: ProfileValues) => {
    clearFailure();
    const { data: user, error } = await change(values);
    if (!user) return showError(toApiError(error));
    dispatch(userLoaded(user));
    toast(t.profileSaved);
    onChanged();
  };
  return (
    <Section title={t.profileTitle}>
      <AccountPicture />
      <AccountForm
        onSubmit={(event) => void handleSubmit(onSubmit)(event)}
        submit={t.saveProfile}
        busy={isSubmitting}
        failure={failure}
      >
        <Field
          label={t.name}
          hint={role === "seller" ? t.nameHint : undefined}
          autoComplete="name"
          error={errors.displayName?.message}
          {...register("displayName", { required: t.nameRequired, setValueAs: cleanLine })}
        />
        <Field
          label={t.phone}
          hint={t.reachHint}
          type="tel"
          autoComplete="tel"
          error={errors.phone?.message}
          {...register("phone", { setValueAs: cleanPhone })}
        />
        <Field
          label={t.location}
          error={errors.location?.message}
          {...register("location", { setValueAs: cleanLine })}
        />
      </AccountForm>
    </Section>
  );
}
