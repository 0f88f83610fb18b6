import { createContext, useCallback, useContext, useEffect, useRef, useState } from "react";
import { steadyNow } from "@/lib/serverTime";
import * as t from "@/texts/ui";
import { cx } from "@/ui/cx";
import type { Elements } from "@/ui/Elements";
import { IconButton } from "@/ui/IconButton";
import { CloseIcon, FlagIcon, VerifiedIcon } from "@/ui/icons";
import { Notice, NoticesProvider } from "@/ui/Notices";

/** Something was done, something failed, or neither. */
type Tone = "ok" | "error" | "info";
/** What to do next, as a link; `dismiss` removes the toast. */
type Action = (dismiss: () => void) => Elements;
interface VisibleToast {
  id: number;
  text: string;
  tone: Tone;
  action?: Action;
  /** It stays until it is dismissed, on any screen. */
  stays: boolean;
  /** The steady time at which it was shown. */
  shownAt: number;
}

/** How long another toast stays, in milliseconds. */
export const TOAST_MS = 6000;

type ShowToast = (text: string, tone?: Tone, action?: Action, stays?: boolean) => void;

/** It never changes: a component that can show a toast is not rendered for each one. */
const ToastContext = createContext<ShowToast>(() => undefined);
const EndContext = createContext<(before: number) => void>(() => undefined);

/** Holds the toasts of the whole application, and the place of all notices; mounted once. */
export function ToastProvider({ children }: { children: Elements }) {
  const [shown, setShown] = useState<VisibleToast[]>([]);
  const next = useRef(0);

  const dismiss = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), []);
  const toast = useCallback((text: string, tone: Tone = "ok", action?: Action, stays = false) => {
    next.current += 1;
    const id = next.current;
    setShown((all) => [...all.slice(-2), { id, text, tone, action, stays, shownAt: steadyNow() }]);
  }, []);
  const end = useCallback(
    (before: number) => setShown((all) => all.filter(({ stays, shownAt }) => stays || shownAt >= before)),
    [],
  );

  return (
    <ToastContext value={toast}>
      <NoticesProvider>
        <EndContext value={end}>{children}</EndContext>
        <Notice kind="toasts">
          {/* The polite live region; always in the document, so that screen readers read what is added. */}
          <div role="status" aria-live="polite" aria-label={t.messages} className="grid justify-items-center">
            {shown.map((one) => (
              <Toast key={one.id} {...one} onDismiss={dismiss} />
            ))}
          </div>
        </Notice>
      </NoticesProvider>
    </ToastContext>
  );
}

/** `toast("Booking Confirmed")`, `toast("Could not save", "error")`. Stable between renders. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Returns a function that ends the toasts that were shown before a steady time. It is stable between renders. */
export function useEndToasts(): (before: number) => void {
  return useContext(EndContext);
}

function Toast({
  id,
  text,
  tone,
  action,
  stays,
  onDismiss,
}: VisibleToast & { onDismiss: (id: number) => void }) {
  const dismiss = useCallback(() => onDismiss(id), [id, onDismiss]);
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(dismiss, TOAST_MS);
    return () => clearTimeout(timer);
  }, [dismiss, stays]);
  return (
    <div
      className={cx(
        "pointer-events-auto mb-2 flex max-w-md animate-toast items-center gap-3 rounded-md py-1.5 ps-4 pe-1.5 shadow-lift",
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
