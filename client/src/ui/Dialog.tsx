import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "@/ui/IconButton";
import { CloseIcon } from "@/ui/icons";
import { ToastRegion, useDialogLayer } from "@/ui/Toast";

interface Props {
  open: boolean;
  /** Called for Escape and the Close button; the owner then sets `open` to false. */
  onClose: () => void;
  /** The heading, which also names the dialog. */
  title: string;
  role?: "dialog" | "alertdialog";
  children: ReactNode;
}

/** Shows the element as a modal; where showModal is missing (jsdom), as a plain open dialog. */
function show(element: HTMLDialogElement): void {
  if (typeof element.showModal === "function") element.showModal();
  else element.setAttribute("open", "");
  const first = element.querySelector<HTMLElement>(
    "input:not([readonly]), select, textarea, [data-autofocus]",
  );
  first?.focus();
}

function hide(element: HTMLDialogElement): void {
  if (typeof element.close === "function") element.close();
  else element.removeAttribute("open");
}

/** Back to what opened the dialog; if that has gone (a booked phone has no Book Now), to the page. */
function giveBack(opener: Element | null): void {
  const there = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = there ? opener : document.getElementById("main");
  target?.focus({ preventScroll: true });
}

/** A labelled modal `<dialog>`: traps focus, closes on Escape, gives focus back. Children mount when open. */
export function Dialog({ open, onClose, title, role = "dialog", children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useDialogLayer(open);

  useEffect(() => {
    const dialog = element.current;
    if (!open || !dialog) return;
    const opener = document.activeElement;
    show(dialog);
    return () => {
      hide(dialog);
      giveBack(opener);
    };
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
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
      className="m-auto max-h-[92dvh] w-[min(32rem,calc(100vw-2rem))] animate-pop overflow-y-auto rounded-lg border border-line bg-surface p-6 text-ink shadow-lift"
    >
      <div className="mb-4 flex items-start justify-between gap-4">
        <h2 id={heading} className="pt-1.5 font-bold text-xl">
          {title}
        </h2>
        <IconButton label="Close" onClick={onClose} className="-mt-1 -mr-2">
          <CloseIcon />
        </IconButton>
      </div>
      {children}
      <ToastRegion layer={1} />
    </dialog>
  );
}
