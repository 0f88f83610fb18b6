import { type FormEvent, useState } from "react";
import { useDispatch } from "react-redux";
import { type ApiError, toApiError } from "@/api/errors";
import { useRole } from "@/api/role";
import { deletionNoticeSet, loggedOut } from "@/api/session";
import * as t from "@/texts/account";
import { Button, Field } from "@/ui";
import { useLeaveMutation } from "./endpoints";

/** The consequences and the form that deletes the account; admins cannot delete theirs and see why. */
export function DeleteAccount({ hasPassword }: { hasPassword: boolean }) {
  const { role } = useRole();
  return (
    <div className="grid gap-5 rounded-lg border border-line bg-surface p-5 shadow-card sm:p-8">
      <h3 className="font-bold text-lg">{t.leave}</h3>
      {role === "admin" && <p>{t.adminStays}</p>}
      {role && role !== "admin" && <DeleteAccountForm hasPassword={hasPassword} />}
    </div>
  );
}

function DeleteAccountForm({ hasPassword }: { hasPassword: boolean }) {
  const dispatch = useDispatch();
  const [leave, { isLoading }] = useLeaveMutation();
  const [failure, setFailure] = useState<ApiError>();
  const name = hasPassword ? "password" : "confirm";

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get(name));
    setFailure(undefined);
    dispatch(deletionNoticeSet(t.left));
    const { error } = await leave({ [name]: typed });
    if (error) setFailure(toApiError(error));
    else dispatch(loggedOut());
    dispatch(deletionNoticeSet(null));
  };

  // Open orders are no error of the field, so the field is not marked.
  const isOpen = failure?.code === "open_orders";
  const wrong = isOpen ? undefined : (failure?.fields?.[name] ?? failure?.message);
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid max-w-md gap-5">
      <ul className="grid list-disc gap-1.5 ps-5 marker:text-muted">
        {[t.leaveEnds, t.leaveShop, t.leaveStays, t.leaveForGood].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {hasPassword ? (
        <Field
          label={t.password}
          hint={t.passwordHint}
          name={name}
          type="password"
          autoComplete="current-password"
          error={wrong}
        />
      ) : (
        <Field
          label={t.confirm}
          hint={t.confirmHint}
          name={name}
          type="email"
          autoComplete="off"
          error={wrong}
        />
      )}
      {isOpen && (
        <p role="alert" className="rounded-md bg-accent-soft px-4 py-3 font-semibold text-accent">
          {failure.message}
        </p>
      )}
      <Button type="submit" variant="alarm" busy={isLoading} className="justify-self-start">
        {t.leaveNow}
      </Button>
    </form>
  );
}
