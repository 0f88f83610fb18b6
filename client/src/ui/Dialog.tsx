import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import * as t from "@/texts/ui";
import { AnnouncerRegion } from "@/ui/Announcer";
import { cx } from "@/ui/cx";
import { IconButton } from "@/ui/IconButton";
import { CloseIcon } from "@/ui/icons";
import { NoticePlace } from "@/ui/Notices";

interface Props {
  open: boolean;
  /** Called for Escape and the Close button; the owner then sets `open` to false. */
  onClose: () => void;
  /** The heading, which also names the dialog. */
  title: string;
  role?: "dialog" | "alertdialog";
  /** As large as the window; its content has no margin. */
  isFull?: boolean;
  children: ReactNode;
}

/**
 * Opens the element as a modal with the focus on its first field; as a non-modal dialog where showModal is missing
 * (jsdom). The focus is moved before showModal: afterwards the rest of the page is inert, and Chromium needs 200 ms
 * instead of 20 to move it on a page of 2,000 phones.
 */
function openDialog(element: HTMLDialogElement): void {
  const first =
    element.querySelector<HTMLElement>("input:not([readonly]), select, textarea, [data-autofocus]") ??
    element.querySelector<HTMLElement>("button");
  first?.setAttribute("autofocus", ""); // or showModal would move it to the first control
  first?.focus({ preventScroll: true });
  if (typeof element.showModal === "function") element.showModal();
  else element.setAttribute("open", "");
  first?.scrollIntoView?.({ block: "nearest" });
}

function closeDialog(element: HTMLDialogElement): void {
  if (typeof element.close === "function") element.close();
  else element.removeAttribute("open");
}

/**
 * Remembers the focused element and what contains it: a place whose button is replaced by another one
 * (data-focus-place), or a card or row. Returns a function that restores the focus.
 */
function rememberFocus(): () => void {
  const lastFocused = document.activeElement;
  const container = lastFocused?.closest("[data-focus-place], article, tr, li, section");
  return () => {
    // The element may have been removed, as Book Now of a booked phone is: then the focus goes to the same place, or to the main element.
    const nearby = container?.isConnected
      ? container.querySelector("[tabindex='-1'], button:enabled, a[href]")
      : null;
    const target = lastFocused?.isConnected && lastFocused !== document.body ? lastFocused : nearby;
    const fallback = document.getElementById("main");
    const focusable = target ?? fallback;
    if (focusable instanceof HTMLElement) focusable.focus({ preventScroll: true });
  };
}

/** In the middle; on a phone a sheet at the bottom; never under the notices. The content scrolls under the title. */
const CARD =
  "m-auto max-h-[min(92dvh,calc(100dvh-2*var(--notices,0px)))] w-[min(34rem,calc(100vw-2rem))] rounded-lg max-sm:mb-0 " +
  "max-sm:max-h-[min(92dvh,calc(100dvh-var(--notices,0px)))] max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none";

/** A labelled modal `<dialog>`: traps focus, closes on Escape, gives focus back. Children mount when open. */
export function Dialog({ open, onClose, title, role = "dialog", isFull = false, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useEffect(() => {
    const dialog = element.current;
    if (!open || !dialog) return;
    const restoreFocus = rememberFocus();
    openDialog(dialog);
    return () => {
      closeDialog(dialog);
      restoreFocus();
    };
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    // The Escape of a dialog inside this one is not for this one.
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };

  if (!open) return null;
  return (
    <dialog
      ref={element}
      role={role}
      aria-modal="true"
      aria-labelledby={heading}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={cx(
        "flex animate-pop flex-col overflow-hidden bg-surface text-ink shadow-lift",
        isFull ? "mt-auto h-[calc(100dvh-var(--notices,0px))] max-h-none w-full max-w-none" : CARD,
      )}
    >
      <div
        className={cx(
          "flex items-start justify-between gap-4",
          isFull ? "px-4 py-1" : "px-6 pt-6 pb-3 sm:px-8 sm:pt-7 [@media(max-height:36rem)]:pt-3",
        )}
      >
        <h2 id={heading} className="pt-2 font-bold text-xl">
          {title}
        </h2>
        <IconButton label={t.close} onClick={onClose} className="-me-2">
          <CloseIcon />
        </IconButton>
      </div>
      {/* A focused field scrolls into sight above a button that sticks to the end of the content. */}
      <div
        className={cx(
          "grid min-h-0",
          isFull
            ? "flex-1"
            : "scroll-pt-2 scroll-pb-24 overflow-y-auto overscroll-contain px-6 pt-2 pb-6 sm:px-8 sm:pb-8",
        )}
      >
        <div className={cx("min-w-0", isFull && "min-h-0")}>{children}</div>
      </div>
      <NoticePlace className="top-2 items-center *:max-w-md" />
      <AnnouncerRegion />
    </dialog>
  );
}
