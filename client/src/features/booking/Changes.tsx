import type { ReactNode } from "react";
import type { Product } from "@/api/types";
import * as t from "@/texts/booking";
import { condition } from "@/texts/condition";
import { money } from "@/texts/language";
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
    <div className="grid content-start gap-4">
      <p role="status" className="rounded-md bg-accent-soft px-4 py-3 font-semibold text-accent">
        {t.changed}
      </p>
      <dl className="grid gap-3">
        {changes.includes("name") && <Row term={t.productName} before={before.name} now={now.name} />}
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
            now={
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard too
              <span tabIndex={0} className="block max-h-32 overflow-y-auto whitespace-pre-line">
                {now.description}
              </span>
            }
          />
        )}
      </dl>
    </div>
  );
}

/** One thing that is different now; what it was before is left out where it would be long. */
function Row({ term, before, now }: { term: string; before?: string; now: ReactNode }) {
  return (
    <div className="grid gap-0.5 [overflow-wrap:anywhere]">
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
