import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { cx } from "@/ui";
import { NextIcon } from "@/ui/icons";

interface Props {
  label: string;
  /** Some of its filters are set. */
  isSet: boolean;
  /** Its panel ends where the button ends, for one at the end of the bar. */
  isLast?: boolean;
  children: ReactNode;
}

/** A button that opens a panel of filters below it. Escape, a click elsewhere and leaving it by Tab close it. */
export function FilterMenu({ label, isSet, isLast = false, children }: Props) {
  const { open, setOpen, root, button, onKeyDown } = useMenu();
  const panel = useId();
  return (
    <fieldset
      ref={root}
      className="relative"
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !root.current?.contains(relatedTarget)) setOpen(false);
      }}
    >
      <legend className="sr-only">{label}</legend>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
        className={cx(
          "flex h-11 items-center gap-1.5 whitespace-nowrap rounded-sm border px-3 text-sm transition-colors hover:border-brand",
          isSet ? "border-brand bg-brand-soft font-semibold text-brand" : "border-edge bg-surface",
        )}
      >
        <span>{label}</span>
        <NextIcon className="size-4 rotate-90" />
      </button>
      <div
        id={panel}
        hidden={!open}
        className={cx(
          "absolute top-full z-10 mt-1.5 max-h-[calc(100dvh-10rem)] w-72 overflow-y-auto overscroll-contain rounded-md border border-line bg-surface p-4 shadow-lift",
          isLast ? "end-0" : "start-0",
        )}
      >
        {children}
      </div>
    </fieldset>
  );
}

function useMenu() {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLFieldSetElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const closeOutside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [open]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open) return;
    setOpen(false);
    button.current?.focus();
  };
  return { open, setOpen, root, button, onKeyDown };
}
