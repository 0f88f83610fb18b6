import type { Report } from "@/api/types";
import * as t from "@/texts/admin";
import { cx } from "@/ui";

/** The reported messages of a conversation, between those beside them. */
export function Quotes({ of: quotes }: { of: NonNullable<Report["quotes"]> }) {
  return (
    <ul aria-label={t.quotes} className="grid gap-1 text-sm">
      {quotes.map(({ text, by, at, reported }) => (
        <li key={at} className={cx("border-s-2 ps-2", reported ? "border-danger" : "border-line text-muted")}>
          <span className="font-semibold">{reported ? t.reportedBy(by) : t.saidBy(by)}</span>{" "}
          <span className="whitespace-pre-line">{text}</span>
        </li>
      ))}
    </ul>
  );
}
