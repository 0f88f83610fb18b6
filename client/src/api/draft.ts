import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useDispatch, useStore } from "react-redux";
import { useLocation, useNavigate } from "react-router-dom";
import type { LoginOrigin } from "@/lib/loginOrigin";
import { bookingDialogOpened, type OpenDialog, reportDialogOpened } from "./dialogSlice";
import { type MeRoot, selectMe } from "./me";
import { type SessionRoot, selectFarewell } from "./session";
import { dialogDraft } from "./sessionStorage";
import type { Product, SignedInUser } from "./types";

/** The values of a dialog that was open when its user's session ended; kept in this tab until they sign in again. */
interface Draft {
  dialog: NonNullable<OpenDialog>["dialog"];
  /** Its user; it is shown to no other. */
  email: string;
  /** The path of the screen on which it was open. */
  path: string;
  product: Product;
  typed: Record<string, string>;
}

/** The stored draft; empty for none. */
const storedDraft = () => (dialogDraft.read() ?? {}) as Partial<Draft>;

/** Returns the draft and deletes it, even if it belongs to another user: it is offered once. */
function take(): Partial<Draft> {
  const draft = storedDraft();
  dialogDraft.write(null);
  return draft;
}

/** For a dialog's form: stores its values as a draft when the session ends while it is open. */
export function useKeptTyping(
  dialog: Draft["dialog"],
  me: SignedInUser,
  product: Product,
  typed: () => Record<string, string>,
): void {
  const store = useStore<MeRoot & SessionRoot>();
  const { pathname } = useLocation();
  const draft = (): Draft => ({ dialog, email: me.email, path: pathname, product, typed: typed() });
  const latest = useRef(draft);
  latest.current = draft;
  useLayoutEffect(
    () => () => {
      const state = store.getState();
      // A user who signs out gets no draft.
      if (!selectMe(state) && selectFarewell(state)) dialogDraft.write(latest.current());
    },
    [store],
  );
}

const choices = { booking: bookingDialogOpened, report: reportDialogOpened };

/**
 * For a dialog: opens it again with the draft of its user, and navigates to the login when the session ends on a
 * screen that visitors may see. Returns the values of the draft.
 */
export function useTypedBefore<T>(
  dialog: Draft["dialog"],
  me: SignedInUser | null,
  isOpen: boolean,
): Partial<T> {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [typed, setTyped] = useState<Partial<T>>({});
  const store = useStore<SessionRoot>();
  const email = me?.email;

  const wasOpen = useRef(false);
  useEffect(() => {
    if (!email && wasOpen.current && selectFarewell(store.getState())) {
      navigate("/login", { state: { from: pathname + search } satisfies LoginOrigin });
    }
    if (wasOpen.current && !isOpen) setTyped({});
    wasOpen.current = isOpen;
  }, [email, isOpen, navigate, pathname, search, store]);

  useEffect(() => {
    if (!email || storedDraft().dialog !== dialog) return;
    const draft = take();
    if (draft.email !== email || draft.path !== pathname || !draft.product) return;
    setTyped((draft.typed ?? {}) as Partial<T>);
    dispatch(choices[dialog](draft.product));
  }, [dialog, email, pathname, dispatch]);
  return typed;
}
