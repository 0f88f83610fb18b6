import { useDispatch } from "react-redux";
import { Link } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { loggedOut } from "@/api/sessionSlice";
import * as t from "@/texts/auth";
import { Button, buttonClass } from "@/ui";
import { AuthCard, FormError } from "./AuthCard";
import { useVerifyEmailMutation } from "./recovery";
import { useLinkToken } from "./useLinkToken";

/** /verify?for=undo: gives the account the old email address back. It asks first: every device is signed out. */
export function UndoEmailChange() {
  const token = useLinkToken();
  const dispatch = useDispatch();
  const [confirm, { isLoading, isSuccess, error }] = useVerifyEmailMutation();
  const apiError = error && toApiError(error);
  const isGone = token === null || apiError?.status === 410;

  const changeBack = async () => {
    const { error: reason } = await confirm({ token: token ?? "" });
    if (!reason) dispatch(loggedOut());
  };

  let content = (
    <>
      <p>{t.undoLead}</p>
      <Button busy={isLoading} onClick={() => void changeBack()}>
        {t.undo}
      </Button>
      <FormError message={apiError?.message ?? null} />
    </>
  );
  if (isSuccess) content = <Done />;
  else if (isGone) content = <LinkGone />;
  return <AuthCard title={t.undoTitle}>{content}</AuthCard>;
}

function Done() {
  return (
    <>
      <p role="status">{t.undone}</p>
      <Link to="/" className={buttonClass()}>
        {t.continueShopping}
      </Link>
    </>
  );
}

function LinkGone() {
  return (
    <>
      <p role="alert">{t.undoGone}</p>
      <Link to="/contact" className={buttonClass()}>
        {t.contactUs}
      </Link>
    </>
  );
}
