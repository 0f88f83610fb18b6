import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useDispatch, useStore } from "react-redux";
import { useLocation, useNavigate } from "react-router-dom";
import { bookingDialogOpened, type OpenDialog, reportDialogOpened } from "./dialogSlice";
import { type MeRoot, selectMe } from "./me";
import { type SessionRoot, selectFarewell } from "./session";
import { dialogDraft } from "./sessionStorage";
import type { Product, SignedInUser } from "./types";

/** A dialog in which somebody was typing when their session ended: it waits for them in this tab. */
interface Draft {
  dialog: NonNullable<OpenDialog>["dialog"];
  /** Whose it is; nobody else gets to see it. */
  email: string;
  /** The screen that it stood open on. */
  path: string;
  product: Product;
  typed: Record<string, string>;
}

/** What waits, as far as it is there. */
const waiting = () => (dialogDraft.read() ?? {}) as Partial<Draft>;

/** Takes the draft out, whosever it is: it is offered once. */
function take(): Partial<Draft> {
  const draft = waiting();
  dialogDraft.write(null);
  return draft;
}

/** For a dialog's form: should the session end while it is open, what was typed is kept for this user. */
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
      // Whoever signs out by themselves leaves nothing behind.
      if (!selectMe(state) && selectFarewell(state)) dialogDraft.write(latest.current());
    },
    [store],
  );
}

const choices = { booking: bookingDialogOpened, report: reportDialogOpened };

/**
 * For a dialog: opens it again with what its user had typed when their session ended, and leads them to the
 * login where the screen stays without them. The result is what was typed.
 */
export function useTypedBefore<T>(
  dialog: Draft["dialog"],
  me: SignedInUser | null,
  isOpen: boolean,
): Partial<T> {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [typed, setTyped] = useState<Partial<T>>({});
  const store = useStore<SessionRoot>();
  const email = me?.email;

  const wasOpen = useRef(false);
  useEffect(() => {
    if (!email && wasOpen.current && selectFarewell(store.getState())) {
      navigate("/login", { state: { from: pathname } });
    }
    if (wasOpen.current && !isOpen) setTyped({});
    wasOpen.current = isOpen;
  }, [email, isOpen, navigate, pathname, store]);

  useEffect(() => {
    if (!email || waiting().dialog !== dialog) return;
    const draft = take();
    if (draft.email !== email || draft.path !== pathname || !draft.product) return;
    setTyped((draft.typed ?? {}) as Partial<T>);
    dispatch(choices[dialog](draft.product));
  }, [dialog, email, pathname, dispatch]);
  return typed;
}
