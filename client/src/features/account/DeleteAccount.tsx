import { type FormEvent, useState } from "react";
import { useDispatch } from "react-redux";
import { type ApiError, toApiError } from "@/api/errors";
import { useRole } from "@/api/role";
import { sessionEnded } from "@/api/sessionSlice";
import * as t from "@/texts/account";
import { Button, Field, PasswordField } from "@/ui";
import { useDeleteAccountMutation } from "./endpoints";
import { Section } from "./Section";

/** The consequences and the form of the deletion; an admin sees why their account can't be deleted. */
export function DeleteAccount({ hasPassword }: { hasPassword: boolean }) {
  const { role } = useRole();
  return (
    <Section title={t.deleteAccount}>
      {role === "admin" && <p>{t.adminNotDeletable}</p>}
      {role && role !== "admin" && <DeleteAccountForm hasPassword={hasPassword} />}
    </Section>
  );
}

function DeleteAccountForm({ hasPassword }: { hasPassword: boolean }) {
  const dispatch = useDispatch();
  const [deleteAccount, { isLoading }] = useDeleteAccountMutation();
  const [error, setError] = useState<ApiError>();
  const name = hasPassword ? "password" : "confirm";

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = String(new FormData(event.currentTarget).get(name));
    setError(undefined);
    const { error: reason } = await deleteAccount({ [name]: value });
    if (reason) setError(toApiError(reason));
    else dispatch(sessionEnded({ by: "person", reason: t.deleted }));
  };

  // Open orders are not an error of the field, so it is not marked as invalid.
  const hasOpenOrders = error?.code === "open_orders";
  const fieldError = hasOpenOrders ? undefined : (error?.fields?.[name] ?? error?.message);
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid max-w-md gap-5">
      <ul className="grid list-disc gap-1.5 ps-5 marker:text-muted">
        {[t.deleteEndsSessions, t.deleteRemovesPhones, t.deleteKeepsOrders, t.deleteIsFinal].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {hasPassword ? (
        <PasswordField label={t.password} hint={t.passwordHint} name={name} error={fieldError} />
      ) : (
        <Field
          label={t.confirm}
          hint={t.confirmHint}
          name={name}
          type="email"
          autoComplete="off"
          error={fieldError}
        />
      )}
      {hasOpenOrders && (
        <p role="alert" className="rounded-md bg-accent-soft px-4 py-3 font-semibold text-accent">
          {error.message}
        </p>
      )}
      <Button type="submit" variant="alarm" busy={isLoading} className="justify-self-start">
        {t.deleteNow}
      </Button>
    </form>
  );
}
