import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import * as t from "@/texts/ui";
import { cx } from "@/ui/cx";
import { IconButton } from "@/ui/IconButton";
import { CloseIcon, FlagIcon, VerifiedIcon } from "@/ui/icons";

/** Something was done, something failed, or neither. */
type Tone = "ok" | "error" | "info";
/** What to do next, as a link; `dismiss` removes the toast. */
type Action = (dismiss: () => void) => ReactNode;
interface VisibleToast {
  id: number;
  text: string;
  tone: Tone;
  action?: Action;
}

/** How long a toast stays, in milliseconds. */
export const TOAST_MS = 6000;

/** The actions have a context of their own, which never changes: a component that can show a toast is not rendered for each one. */
interface ToastActions {
  toast: (text: string, tone?: Tone, action?: Action) => void;
  dismiss: (id: number) => void;
  /** Called by Dialog: the page behind an open dialog is inert, so toasts are shown inside it. */
  dialogOpened: () => () => void;
}

const ActionsContext = createContext<ToastActions>({
  toast: () => undefined,
  dismiss: () => undefined,
  dialogOpened: () => () => undefined,
});

/** The visible toasts, and how many dialogs are open. */
const VisibleContext = createContext<{ shown: VisibleToast[]; dialogs: number }>({ shown: [], dialogs: 0 });

/** Holds the toasts of the whole application; mounted once. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<VisibleToast[]>([]);
  const [dialogs, setDialogs] = useState(0);
  const next = useRef(0);

  const dismiss = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), []);
  const toast = useCallback((text: string, tone: Tone = "ok", action?: Action) => {
    next.current += 1;
    const id = next.current;
    setShown((all) => [...all.slice(-2), { id, text, tone, action }]);
  }, []);
  const dialogOpened = useCallback(() => {
    setDialogs((n) => n + 1);
    return () => setDialogs((n) => n - 1);
  }, []);

  const actions = useMemo(() => ({ toast, dismiss, dialogOpened }), [toast, dismiss, dialogOpened]);
  const visible = useMemo(() => ({ shown, dialogs }), [shown, dialogs]);
  return (
    <ActionsContext value={actions}>
      <VisibleContext value={visible}>
        {children}
        <ToastRegion layer={0} />
      </VisibleContext>
    </ActionsContext>
  );
}

/** `toast("Booking Confirmed")`, `toast("Could not save", "error")`. Stable between renders. */
export function useToast(): ToastActions["toast"] {
  return useContext(ActionsContext).toast;
}

/** For Dialog: counts it as an open dialog while `open` is true. */
export function useDialogLayer(open: boolean): void {
  const { dialogOpened } = useContext(ActionsContext);
  useEffect(() => (open ? dialogOpened() : undefined), [open, dialogOpened]);
}

/** The polite live region; always in the document, so that screen readers read what is added. */
export function ToastRegion({ layer }: { layer: number }) {
  const { shown, dialogs } = useContext(VisibleContext);
  const { dismiss } = useContext(ActionsContext);
  const isActive = layer === 0 ? dialogs === 0 : dialogs > 0;
  return (
    <div
      role="status"
      aria-live="polite"
      aria-label={t.messages}
      // Over a dialog it is above the dialog's title, else below the navigation bar.
      className={cx(
        "pointer-events-none fixed inset-x-4 z-50 grid justify-items-center gap-2",
        layer === 0 ? "top-20" : "top-2",
      )}
    >
      {isActive && shown.map((one) => <Toast key={one.id} {...one} onDismiss={dismiss} />)}
    </div>
  );
}

function Toast({ id, text, tone, action, onDismiss }: VisibleToast & { onDismiss: (id: number) => void }) {
  const dismiss = useCallback(() => onDismiss(id), [id, onDismiss]);
  useEffect(() => {
    const timer = setTimeout(dismiss, TOAST_MS);
    return () => clearTimeout(timer);
  }, [dismiss]);
  return (
    <div
      className={cx(
        "pointer-events-auto flex max-w-md animate-toast items-center gap-3 rounded-md py-1.5 ps-4 pe-1.5 shadow-lift",
        tone === "error" ? "bg-danger text-on-danger" : "bg-deep text-on-deep",
      )}
    >
      {tone === "ok" && <VerifiedIcon className="size-5 shrink-0" />}
      {tone === "error" && <FlagIcon className="size-5 shrink-0" />}
      <p className="font-semibold">{text}</p>
      {action?.(dismiss)}
      <IconButton label={t.dismiss} onClick={dismiss} className="text-current!">
        <CloseIcon />
      </IconButton>
    </div>
  );
}
