import { useEffect } from "react";
import { useDispatch } from "react-redux";
import { Link, useSearchParams } from "react-router-dom";
import { useSendConfirmation } from "@/api/emailConfirmation";
import { toApiError } from "@/api/errors";
import * as t from "@/texts/auth";
import { ActionButton, Button, buttonClass } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { GiveBack, givesBack } from "./GiveBack";
import { isGone, useVerifyEmailMutation } from "./recovery";
import type { AuthDispatch } from "./sessionEnd";
import { refreshUser } from "./sessionThunks";
import { useAuth } from "./useAuth";
import { useLinkToken } from "./useLinkToken";

/**
 * /verify: the links in emails. ?for=email changes the account's address to the one that is confirmed, others give the
 * account back to its owner.
 */
export function ConfirmEmail() {
  const [query] = useSearchParams();
  const purpose = query.get("for");
  return givesBack(purpose) ? <GiveBack purpose={purpose} /> : <Confirmation isNew={purpose === "email"} />;
}

/** Asks first: mail scanners open the link, and some run its scripts. */
function Confirmation({ isNew }: { isNew: boolean }) {
  const { user } = useAuth();
  const token = useLinkToken();
  const [confirm, { isLoading, isSuccess, error }] = useVerifyEmailMutation();
  const gone = token === null || isGone(error);
  useRefreshedUser(isSuccess || gone);
  let content = (
    <>
      <p>{isNew ? t.confirmNewLead : t.confirmLead}</p>
      <Button busy={isLoading} onClick={() => void confirm({ token: token ?? "" })}>
        {t.confirmAction}
      </Button>
      <FormError message={error ? toApiError(error).message : null} />
    </>
  );
  // A link that a newer one replaced is gone; the newer one may have confirmed the address.
  if (isSuccess || (gone && !isNew && user?.emailVerified)) content = <Confirmed isNew={isNew} />;
  else if (gone) content = isNew ? <ChangeLinkGone /> : <LinkGone />;
  return <AuthCard title={t.confirmTitle}>{content}</AuthCard>;
}

function Confirmed({ isNew }: { isNew: boolean }) {
  return (
    <>
      <p role="status" className="text-lg">
        {isNew ? t.emailChanged : t.emailConfirmed}
      </p>
      <Link to="/" className={buttonClass()}>
        {t.continueShopping}
      </Link>
    </>
  );
}

/** Another link is sent from the account, after the login. */
function ChangeLinkGone() {
  return (
    <>
      <p role="alert">{t.emailLinkGone}</p>
      <Link to="/dashboard/account" className={buttonClass()}>
        {t.toAccount}
      </Link>
    </>
  );
}

/** A new link is sent to the signed-in user only. */
function LinkGone() {
  const { user, phase } = useAuth();
  return (
    <>
      <p role="alert">{t.linkGone}</p>
      {user && <NewLink />}
      {phase === "out" && <LogInForLink />}
    </>
  );
}

/** Loads the signed-in user again once the server has responded. */
function useRefreshedUser(hasResponse: boolean) {
  const dispatch = useDispatch<AuthDispatch>();
  const uid = useAuth().user?.uid;
  useEffect(() => {
    if (hasResponse && uid !== undefined) void dispatch(refreshUser());
  }, [hasResponse, uid, dispatch]);
}

function NewLink() {
  return (
    <ActionButton {...useSendConfirmation()} variant="primary">
      {t.newLink}
    </ActionButton>
  );
}

function LogInForLink() {
  return (
    <Link to="/login" state={{ from: "/dashboard/account" }} className={buttonClass()}>
      {t.logInForLink}
    </Link>
  );
}
