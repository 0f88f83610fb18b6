import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { cx } from "@/ui/cx";
import type { Elements } from "@/ui/Elements";

/** The notices from top to bottom. The one that stays longest is at the bottom, so that none below it comes or goes. */
const KINDS = ["toasts", "connection", "turn"] as const;
/** The free space around the notices, pixels. */
const MARGIN = 16;

const PlaceContext = createContext<HTMLElement | null>(null);
const RegisterContext = createContext<(place: HTMLElement) => () => void>(() => () => undefined);

/** Holds the one place for the notices of all screens; mounted once. */
export function NoticesProvider({ children }: { children: Elements }) {
  const [places, setPlaces] = useState<HTMLElement[]>([]);
  const register = useCallback((place: HTMLElement) => {
    setPlaces((all) => [...all, place]);
    return () => setPlaces((all) => all.filter((one) => one !== place));
  }, []);
  // The page behind an open dialog is inert, so the notices are inside the dialog then.
  const ofDialogs = places.filter((place) => place.closest("dialog"));
  return (
    <RegisterContext value={register}>
      <PlaceContext value={ofDialogs.at(-1) ?? places.at(-1) ?? null}>
        {children}
        <NoticePlace className="bottom-[calc(var(--bottom-bar,0px)+var(--keyboard,0px))] sm:start-auto sm:w-full sm:max-w-md" />
      </PlaceContext>
    </RegisterContext>
  );
}

/**
 * Where the notices are: one below the other, over the page, so that nothing is moved. Dialog has a place of its own above
 * its title.
 */
export function NoticePlace({ className }: { className: string }) {
  const register = useContext(RegisterContext);
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (element.current ? register(element.current) : undefined), [register]);
  useRoom(element);
  return (
    <div ref={element} className={cx("pointer-events-none fixed inset-x-4 z-40 flex flex-col", className)}>
      {KINDS.map((kind) => (
        <div key={kind} className="contents" />
      ))}
    </div>
  );
}

/** Shows a notice in the place of its kind. It is always rendered, so that a live region in it is read out. */
export function Notice({ kind, children }: { kind: (typeof KINDS)[number]; children: ReactNode }) {
  const slot = useContext(PlaceContext)?.children[KINDS.indexOf(kind)];
  return slot ? createPortal(children, slot) : null;
}

/** The height of the keyboard on the screen where it covers the page, pixels. A zoomed page has no other measure. */
const keyboardHeight = ({ height, offsetTop, scale }: VisualViewport) =>
  scale === 1 ? Math.max(0, window.innerHeight - height - offsetTop) : 0;

/**
 * Sets `--notices`, the height that the notices take from the page or the dialog (theme.css), and `--keyboard`; and keeps
 * the focused element from being covered.
 */
function useRoom(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const place = element.current;
    if (!place || typeof ResizeObserver !== "function") return;
    const owner = place.closest("dialog") ?? document.documentElement;
    const update = () => {
      const height = place.offsetHeight;
      owner.style.setProperty("--notices", height > 0 ? `${height + MARGIN}px` : "0px");
      uncover(place);
    };
    const onFocus = () => uncover(place);
    const viewport = window.visualViewport;
    const onViewport = () => {
      if (viewport) owner.style.setProperty("--keyboard", `${keyboardHeight(viewport)}px`);
      uncover(place);
    };
    const seen = new ResizeObserver(update);
    seen.observe(place);
    document.addEventListener("focusin", onFocus);
    viewport?.addEventListener("resize", onViewport);
    return () => {
      seen.disconnect();
      document.removeEventListener("focusin", onFocus);
      viewport?.removeEventListener("resize", onViewport);
    };
  }, [element]);
}

/** Scrolls the focused element out from under the notices. An element that is as high as the page is left where it is. */
function uncover(place: HTMLElement): void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || place.contains(focused) || place.offsetHeight === 0) return;
  // A dialog has become lower, and its own buttons may cover the field now.
  const isInDialog = place.closest("dialog")?.contains(focused);
  const [notices, field] = [place.getBoundingClientRect(), focused.getBoundingClientRect()];
  const isBeside = field.right <= notices.left || field.left >= notices.right;
  const isFree = field.bottom <= notices.top || field.top >= notices.bottom;
  if (!isInDialog && (isBeside || isFree || field.height > window.innerHeight / 2)) return;
  focused.scrollIntoView({ block: "nearest" });
}
