import * as t from "@/texts/layout";
import { cx } from "@/ui";

/** The logo, a ringing phone, and the name; with other colours on the dark background. Smaller on a narrow screen; the
 * bar of the narrowest has no room for the name. */
export function Logo({ onDeep = false }: { onDeep?: boolean }) {
  return (
    <span className="inline-flex items-center gap-1.5 font-extrabold text-lg tracking-tight min-[28rem]:gap-2.5 min-[28rem]:text-xl">
      <svg
        viewBox="0 0 32 32"
        className={cx("size-6 min-[28rem]:size-8", !onDeep && "text-brand")}
        fill="none"
        stroke="currentColor"
        aria-hidden="true"
      >
        <rect x="11" y="6" width="10" height="20" rx="3" strokeWidth="2.5" />
        <path d="M15 22h2" strokeWidth="2" strokeLinecap="round" />
        <path
          d="M6.5 10.5a9 9 0 0 0 0 11M25.5 10.5a9 9 0 0 1 0 11M3 8a14 14 0 0 0 0 16M29 8a14 14 0 0 1 0 16"
          className={onDeep ? "text-signal" : "text-accent"}
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
      <span className={cx(!onDeep && "max-[23rem]:sr-only")}>{t.product}</span>
    </span>
  );
}
