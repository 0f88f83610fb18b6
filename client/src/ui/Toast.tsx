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

type Tone = "ok" | "error";
interface Shown {
  id: number;
  text: string;
  tone: Tone;
}

/** How long a toast stays, in milliseconds. */
export const TOAST_MS = 6000;

/** What can be asked for: the same for ever, so that whoever may say something is not drawn again when something is said. */
interface Asks {
  toast: (text: string, tone?: Tone) => void;
  dismiss: (id: number) => void;
  /** Called by Dialog: the page behind an open one is inert, so toasts move into it. */
  dialogOpened: () => () => void;
}

const Asking = createContext<Asks>({
  toast: () => undefined,
  dismiss: () => undefined,
  dialogOpened: () => () => undefined,
});

/** The toasts that are shown, and how many dialogs stand open. */
const Showing = createContext<{ shown: Shown[]; dialogs: number }>({ shown: [], dialogs: 0 });

/** Holds the toasts of the whole application; mounted once. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const [dialogs, setDialogs] = useState(0);
  const next = useRef(0);

  const dismiss = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), []);
  const toast = useCallback((text: string, tone: Tone = "ok") => {
    next.current += 1;
    const id = next.current;
    setShown((all) => [...all.slice(-2), { id, text, tone }]);
  }, []);
  const dialogOpened = useCallback(() => {
    setDialogs((n) => n + 1);
    return () => setDialogs((n) => n - 1);
  }, []);

  const asks = useMemo(() => ({ toast, dismiss, dialogOpened }), [toast, dismiss, dialogOpened]);
  const showing = useMemo(() => ({ shown, dialogs }), [shown, dialogs]);
  return (
    <Asking value={asks}>
      <Showing value={showing}>
        {children}
        <ToastRegion layer={0} />
      </Showing>
    </Asking>
  );
}

/** `toast("Booking Confirmed")`, `toast("Could not save", "error")`. Stable between renders. */
export function useToast(): Asks["toast"] {
  return useContext(Asking).toast;
}

/** For Dialog: says that one is open while `open` holds. */
export function useDialogLayer(open: boolean): void {
  const { dialogOpened } = useContext(Asking);
  useEffect(() => (open ? dialogOpened() : undefined), [open, dialogOpened]);
}

/** The polite live region; always in the document, so that what arrives in it is read out. */
export function ToastRegion({ layer }: { layer: number }) {
  const { shown, dialogs } = useContext(Showing);
  const { dismiss } = useContext(Asking);
  const here = layer === 0 ? dialogs === 0 : dialogs > 0;
  return (
    <div
      role="status"
      aria-live="polite"
      aria-label={t.notifications}
      className="pointer-events-none fixed inset-x-4 top-20 z-50 grid justify-items-center gap-2"
    >
      {here && shown.map((one) => <Toast key={one.id} {...one} onDismiss={dismiss} />)}
    </div>
  );
}

function Toast({ id, text, tone, onDismiss }: Shown & { onDismiss: (id: number) => void }) {
  useEffect(() => {
    const timer = setTimeout(() => onDismiss(id), TOAST_MS);
    return () => clearTimeout(timer);
  }, [id, onDismiss]);
  return (
    <div
      className={cx(
        "pointer-events-auto flex max-w-md animate-toast items-center gap-3 rounded-md py-1.5 ps-4 pe-1.5 shadow-lift",
        tone === "ok" ? "bg-deep text-on-deep" : "bg-danger text-on-danger",
      )}
    >
      {tone === "ok" ? (
        <VerifiedIcon className="size-5 shrink-0" />
      ) : (
        <FlagIcon className="size-5 shrink-0" />
      )}
      <p className="font-semibold">{text}</p>
      <IconButton label={t.dismiss} onClick={() => onDismiss(id)} className="text-current!">
        <CloseIcon />
      </IconButton>
    </div>
  );
}
