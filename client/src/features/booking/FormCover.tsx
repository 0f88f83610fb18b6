import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { cx } from "@/ui";

interface Props {
  isCovered: boolean;
  /** Why the form cannot be sent; may contain a live region, so it is always rendered. */
  cover: ReactNode;
  /** Gives the focus back to the fields. */
  onUncovered: () => void;
  /** The fields. */
  children: ReactNode;
}

/**
 * The fields of a form, and what is shown over them in the same grid cell, so that nothing moves when it appears. It
 * takes the focus from the fields, and returns it.
 */
export function FormCover({ isCovered, cover, onUncovered, children }: Props) {
  const fields = useRef<HTMLDivElement>(null);
  const overlay = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const latest = useRef(onUncovered);
  latest.current = onUncovered;
  useLayoutEffect(() => {
    const hidden = isCovered ? fields.current : overlay.current;
    hadFocus.current = hidden?.contains(document.activeElement) ?? false;
  }, [isCovered]);
  useEffect(() => {
    if (!hadFocus.current) return;
    if (isCovered) overlay.current?.focus();
    else latest.current();
  }, [isCovered]);
  return (
    <div className="grid *:col-start-1 *:row-start-1">
      <div ref={fields} className={cx("grid content-start gap-2 sm:gap-6", isCovered && "invisible")}>
        {children}
      </div>
      <div
        ref={overlay}
        tabIndex={-1}
        className={cx("grid outline-none", !isCovered && "pointer-events-none")}
      >
        {cover}
      </div>
    </div>
  );
}
