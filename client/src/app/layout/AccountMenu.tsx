import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import type { SignedInUser } from "@/api/types";
import * as t from "@/texts/layout";
import { cx } from "@/ui";
import { AccountEntries } from "./AccountEntries";
import { AccountLabel, nameOf } from "./AccountLabel";

const STEPS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

interface Props {
  user: SignedInUser;
  /** Whether the menu of a narrow screen is open; it shows the entries without a button. */
  isBarOpen: boolean;
}

/**
 * The account's button and its menu: a disclosure with links, in which the arrow keys move, too. It closes by Escape, by
 * a press elsewhere, when the focus leaves it, and with a navigation.
 */
export default function AccountMenu({ user, isBarOpen }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** Called before the menu is opened, to load the role that its entries need. */
  const [isNear, setNear] = useState(false);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the menu
  useEffect(() => setOpen(false), [key]);
  useElsewhere(root, () => setOpen(false));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isOpen) {
      setOpen(false);
      button.current?.focus();
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    if (isOpen || isBarOpen) return moveFocus(root.current, step);
    firstStep.current = step;
    setOpen(true);
  };
  /** The arrow key that has opened the menu; the focus follows when the links are shown. */
  const firstStep = useRef<1 | -1 | null>(null);
  useEffect(() => {
    if (isOpen && firstStep.current) moveFocus(root.current, firstStep.current);
    firstStep.current = null;
  }, [isOpen]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what happens to the button and the links inside
    <div
      ref={root}
      className="relative max-lg:w-full"
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      onKeyDown={onKeyDown}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls="account-menu"
        aria-label={t.accountMenu(nameOf(user))}
        title={t.accountMenu(nameOf(user))}
        onClick={() => setOpen(!isOpen)}
        className="flex h-11 w-17 items-center gap-2 rounded-full p-1 font-semibold text-sm transition-colors hover:bg-sunk max-lg:hidden min-[85rem]:w-48"
      >
        <AccountLabel user={user} />
      </button>
      <div
        id="account-menu"
        hidden={!isOpen && !isBarOpen}
        className={cx(
          "grid gap-1 lg:absolute lg:end-0 lg:top-full lg:mt-2 lg:w-64 lg:rounded-lg lg:border lg:border-line lg:bg-surface lg:p-2 lg:shadow-lift",
          "max-lg:mt-2 max-lg:border-line max-lg:border-t max-lg:pt-3",
          !isOpen && "lg:hidden",
          !isBarOpen && "max-lg:hidden",
        )}
      >
        {(isNear || isBarOpen) && <AccountEntries user={user} />}
      </div>
    </div>
  );
}

/** Calls back when something outside the element is pressed, or gets the focus. */
function useElsewhere(element: { current: HTMLElement | null }, callback: () => void) {
  const latest = useRef(callback);
  latest.current = callback;
  useEffect(() => {
    const onEvent = ({ target }: Event) => {
      if (!element.current?.contains(target as Node)) latest.current();
    };
    const types = ["pointerdown", "focusin"] as const;
    for (const type of types) document.addEventListener(type, onEvent);
    return () => {
      for (const type of types) document.removeEventListener(type, onEvent);
    };
  }, [element]);
}

/** Moves the focus to the next or the previous link of the menu, from the last to the first and back. */
function moveFocus(root: HTMLElement | null, step: 1 | -1): void {
  const links = Array.from(root?.querySelectorAll("a") ?? []);
  const here = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = here < 0 && step < 0 ? links.length - 1 : (here + step + links.length) % links.length;
  links[next]?.focus();
}
