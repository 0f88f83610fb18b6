import { useDispatch } from "react-redux";
import { Link } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { sessionEnded } from "@/api/sessionSlice";
import * as t from "@/texts/auth";
import { Button, buttonClass } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { isGone, useVerifyEmailMutation } from "./recovery";
import { useLinkToken } from "./useLinkToken";

type Purpose = keyof typeof t.giveBack;

export const givesBack = (purpose: string | null): purpose is Purpose =>
  purpose !== null && purpose in t.giveBack;

/**
 * /verify?for=undo gives the account the old email address back, ?for=second-factor switches off a second factor. It
 * asks first: every device is signed out.
 */
export function GiveBack({ purpose }: { purpose: Purpose }) {
  const texts = t.giveBack[purpose];
  const token = useLinkToken();
  const dispatch = useDispatch();
  const [confirm, { isLoading, isSuccess, error }] = useVerifyEmailMutation();
  const apiError = error && toApiError(error);

  const takeBack = async () => {
    const { error: reason } = await confirm({ token: token ?? "" });
    if (!reason) dispatch(sessionEnded({ by: "server" }));
  };

  let content = (
    <>
      <p>{texts.lead}</p>
      <Button busy={isLoading} onClick={() => void takeBack()}>
        {texts.action}
      </Button>
      <FormError message={apiError?.message ?? null} />
    </>
  );
  if (isSuccess) content = <Done text={texts.done} />;
  else if (token === null || isGone(error)) content = <LinkGone />;
  return <AuthCard title={texts.title}>{content}</AuthCard>;
}

function Done({ text }: { text: string }) {
  return (
    <>
      <p role="status">{text}</p>
      <Link to="/" className={buttonClass()}>
        {t.continueShopping}
      </Link>
    </>
  );
}

function LinkGone() {
  return (
    <>
      <p role="alert">{t.giveBackGone}</p>
      <Link to="/contact" className={buttonClass()}>
        {t.contactUs}
      </Link>
    </>
  );
}
