import { useEffect, useRef } from "react";
import { useDispatch } from "react-redux";
import { Link, useSearchParams } from "react-router-dom";
import { useSendConfirmation } from "@/api/emailConfirmation";
import { toApiError } from "@/api/errors";
import * as t from "@/texts/auth";
import { ActionButton, buttonClass, ErrorState, Spinner } from "@/ui";
import { AuthCard } from "./AuthCard";
import { GiveBack, givesBack } from "./GiveBack";
import { useVerifyEmailMutation } from "./recovery";
import { type AuthDispatch, refreshUser } from "./sessionThunks";
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

function Confirmation({ isNew }: { isNew: boolean }) {
  const { user } = useAuth();
  const { retry, isConfirmed, error } = useConfirmation(useLinkToken());
  const isGone = error?.status === 410;
  useRefreshedUser(isConfirmed || isGone);
  let content = <Spinner label={t.confirming} />;
  // The link of an address that is confirmed already has been used.
  if (isConfirmed || (isGone && !isNew && user?.emailVerified)) content = <Confirmed isNew={isNew} />;
  else if (isGone) content = isNew ? <ChangeLinkGone /> : <LinkGone />;
  else if (error) content = <ErrorState message={error.message} onRetry={retry} />;
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

const GONE = { status: 410, message: t.linkGone, code: "gone" };

/** Sends the token, once. */
function useConfirmation(token: string | null) {
  const [confirm, { isSuccess, error }] = useVerifyEmailMutation();
  const sent = useRef<string>(undefined);
  useEffect(() => {
    // React's strict mode runs effects twice, and the second call would find the link used.
    if (token === null || token === sent.current) return;
    sent.current = token;
    void confirm({ token });
  }, [token, confirm]);
  if (token === null) return { retry: () => undefined, isConfirmed: false, error: GONE };
  const apiError = error && toApiError(error);
  return {
    retry: () => void confirm({ token }),
    isConfirmed: isSuccess,
    error: apiError?.fields?.token ? GONE : apiError,
  };
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
