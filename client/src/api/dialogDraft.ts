import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useDispatch, useStore } from "react-redux";
import { useLocation, useNavigate } from "react-router-dom";
import type { LoginOrigin } from "@/lib/loginOrigin";
import { bookingDialogOpened, reportDialogOpened, waitDialogOpened } from "./dialogSlice";
import { type SessionRoot, selectMe, selectWasInterrupted } from "./sessionSlice";
import { dialogDraft } from "./tabStorage";
import type { Product, SignedInUser } from "./types";

const openActions = { booking: bookingDialogOpened, wait: waitDialogOpened, report: reportDialogOpened };

/** The values of a dialog that was open when the session ended; stored in this tab until the user signs in again. */
interface Draft {
  dialog: keyof typeof openActions;
  /** The user's email; the draft is shown to no other user. */
  email: string;
  /** The path of the screen on which it was open. */
  path: string;
  product: Product;
  values: Record<string, string>;
}

/** The stored draft; an empty object if there is none. */
const readDraft = () => (dialogDraft.read() ?? {}) as Partial<Draft>;

/** Returns the draft and deletes it, even if it belongs to another user: it is restored once at most. */
function takeDraft(): Partial<Draft> {
  const draft = readDraft();
  dialogDraft.write(null);
  return draft;
}

/** For the form of a dialog: stores its values as a draft if the session ends while it is open. */
export function useSaveDialogDraft(
  dialog: Draft["dialog"],
  me: SignedInUser,
  product: Product,
  getValues: () => Record<string, string>,
): void {
  const store = useStore<SessionRoot>();
  const { pathname } = useLocation();
  const draft = (): Draft => ({ dialog, email: me.email, path: pathname, product, values: getValues() });
  const latest = useRef(draft);
  latest.current = draft;
  useLayoutEffect(
    () => () => {
      const state = store.getState();
      // No draft is stored for a user who signs out.
      if (!selectMe(state) && selectWasInterrupted(state)) dialogDraft.write(latest.current());
    },
    [store],
  );
}

/**
 * For a dialog: opens it with the draft of its user, and navigates to the login if the session ends on a screen that
 * visitors may see. Returns the values of the draft.
 */
export function useRestoreDialogDraft<T>(
  dialog: Draft["dialog"],
  me: SignedInUser | null,
  isOpen: boolean,
): Partial<T> {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [values, setValues] = useState<Partial<T>>({});
  const store = useStore<SessionRoot>();
  const email = me?.email;

  const wasOpen = useRef(false);
  useEffect(() => {
    if (!email && wasOpen.current && selectWasInterrupted(store.getState())) {
      navigate("/login", { state: { from: pathname + search } satisfies LoginOrigin });
    }
    if (wasOpen.current && !isOpen) setValues({});
    wasOpen.current = isOpen;
  }, [email, isOpen, navigate, pathname, search, store]);

  useEffect(() => {
    if (!email || readDraft().dialog !== dialog) return;
    const draft = takeDraft();
    if (draft.email !== email || draft.path !== pathname || !draft.product) return;
    setValues((draft.values ?? {}) as Partial<T>);
    dispatch(openActions[dialog](draft.product));
  }, [dialog, email, pathname, dispatch]);
  return values;
}
