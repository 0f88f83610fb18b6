import type { ReactNode } from "react";
import type { Product } from "@/api/types";
import * as t from "@/texts/booking";
import { condition } from "@/texts/condition";
import { money } from "@/texts/language";
import { cx } from "@/ui";
import type { Change } from "./useBooking";

interface Props {
  changes: readonly Change[];
  /** The phone as the buyer had agreed to it. */
  before: Product;
  now: Product;
}

/** What the seller has changed while the dialog was open, in the place of the fields that are filled in. */
export function Changes({ changes, before, now }: Props) {
  return (
    // As high as the fields, so that nothing moves: a long description is scrolled.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: by the keyboard too
    <section tabIndex={0} aria-label={t.whatChanged} className="h-0 min-h-full overflow-y-auto">
      <p role="status" className="mb-4 rounded-md bg-accent-soft px-4 py-3 font-semibold text-accent">
        {t.changed}
      </p>
      <dl className="grid grid-cols-2 gap-3">
        {changes.includes("name") && <Row term={t.productName} before={before.name} now={now.name} isLong />}
        {changes.includes("productCondition") && (
          <Row
            term={t.condition}
            before={condition[before.productCondition]}
            now={condition[now.productCondition]}
          />
        )}
        {changes.includes("resalePrice") && (
          <Row term={t.price} before={money(before.resalePrice)} now={money(now.resalePrice)} />
        )}
        {changes.includes("description") && (
          <Row
            term={t.description}
            now={<span className="whitespace-pre-line">{now.description}</span>}
            isLong
          />
        )}
      </dl>
    </section>
  );
}

interface RowProps {
  term: string;
  /** Left out where it would be long. */
  before?: string;
  now: ReactNode;
  /** Needs the whole width. */
  isLong?: boolean;
}

/** One thing that is different now. */
function Row({ term, before, now, isLong = false }: RowProps) {
  return (
    <div className={cx("grid gap-0.5 [overflow-wrap:anywhere]", isLong && "col-span-2")}>
      <dt className="text-muted text-sm">{term}</dt>
      <dd>
        {before !== undefined && (
          <>
            <span className="sr-only">{t.before}</span>
            <s className="me-2 text-muted">{before}</s>
            <span className="sr-only">{t.now}</span>
          </>
        )}
        <span className="font-semibold">{now}</span>
      </dd>
    </div>
  );
}
