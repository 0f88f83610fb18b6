import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import * as t from "@/texts/layout";
import { cx } from "@/ui";
import { SearchIcon } from "@/ui/icons";

const PATH = "/search";
/** Navigates to the search and focuses its field. */
const FOCUS = { focus: true };

/** Whether the user is typing, or a dialog is open. */
function isBusy(target: EventTarget | null): boolean {
  const types = target instanceof Element && target.closest("input, textarea, select, [contenteditable]");
  return Boolean(types) || document.querySelector("dialog[open]") !== null;
}

/** Calls back when the key / is pressed outside of fields and dialogs. */
function useSlashKey(callback: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
    event.preventDefault();
    callback();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/**
 * The search on every screen: a field on wide screens, otherwise a link to the search screen. The key / leads there,
 * too. The search screen has a field of its own, so there it is an empty space of the same size.
 */
export function NavSearch() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isThere = pathname === PATH;
  const here = isThere ? PATH + search : PATH;

  useSlashKey(() => {
    const isShown = field.current?.checkVisibility?.({ visibilityProperty: true });
    if (isShown) field.current?.focus();
    else void navigate(here, { state: FOCUS, replace: isThere });
  });

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const words = text.trim();
    setText("");
    void navigate(words ? `${PATH}?${new URLSearchParams({ q: words })}` : PATH);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: some screen readers and jsdom do not support <search> yet */}
      <form
        role="search"
        onSubmit={onSubmit}
        className={cx("relative mx-3 max-w-84 flex-1 max-xl:hidden", isThere && "invisible")}
      >
        <SearchIcon className="-translate-y-1/2 pointer-events-none absolute start-3.5 top-1/2 size-5 text-muted" />
        <input
          ref={field}
          type="search"
          aria-label={t.search}
          aria-keyshortcuts="/"
          placeholder={t.search}
          enterKeyHint="search"
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // Chromium reserves the width of its clear button while there is nothing to clear.
          className="h-11 w-full text-ellipsis rounded-full border border-line bg-surface ps-11 pe-4 text-sm transition-colors placeholder:text-muted hover:border-edge placeholder-shown:[&::-webkit-search-cancel-button]:hidden"
        />
      </form>
      <Link
        to={here}
        state={FOCUS}
        replace={isThere}
        aria-label={t.search}
        title={t.search}
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted transition-colors hover:bg-sunk hover:text-ink xl:hidden"
      >
        <SearchIcon />
      </Link>
    </>
  );
}
