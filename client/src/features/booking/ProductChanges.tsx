import type { ReactNode } from "react";
import type { Product } from "@/api/types";
import * as t from "@/texts/booking";
import { condition } from "@/texts/condition";
import { delivery, offerOf } from "@/texts/delivery";
import { dollars } from "@/texts/money";
import { cx } from "@/ui";
import type { Change } from "./useBooking";

interface Props {
  changes: readonly Change[];
  /** The phone in the state that the buyer has accepted. */
  before: Product;
  now: Product;
}

/** The changes of the phone since the dialog was opened, shown in place of the form's fields. */
export function ProductChanges({ changes, before, now }: Props) {
  return (
    // As high as the fields, so that nothing moves; a long description can be scrolled.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users can scroll it too
    <section tabIndex={0} aria-label={t.whatChanged} className="h-0 min-h-full overflow-y-auto">
      <p role="status" className="mb-4 rounded-md bg-accent-soft px-4 py-3 font-semibold text-accent">
        {t.changed}
      </p>
      <dl className="grid grid-cols-2 gap-3">
        {changes.includes("name") && (
          <ChangeRow term={t.productName} before={before.name} now={now.name} isLong />
        )}
        {changes.includes("productCondition") && (
          <ChangeRow
            term={t.condition}
            before={condition[before.productCondition]}
            now={condition[now.productCondition]}
          />
        )}
        {changes.includes("storage") && (
          <ChangeRow term={t.storage} before={t.storageOf(before.storage)} now={t.storageOf(now.storage)} />
        )}
        {changes.includes("colour") && (
          <ChangeRow term={t.colour} before={t.colourOf(before.colour)} now={t.colourOf(now.colour)} />
        )}
        {changes.includes("resalePrice") && (
          <ChangeRow term={t.price} before={dollars(before.resalePrice)} now={dollars(now.resalePrice)} />
        )}
        {(changes.includes("delivers") || changes.includes("postage")) && (
          <ChangeRow term={delivery} before={offerOf(before)} now={offerOf(now)} isLong />
        )}
        {changes.includes("description") && (
          <ChangeRow
            term={t.description}
            now={<span className="whitespace-pre-line">{now.description}</span>}
            isLong
          />
        )}
      </dl>
    </section>
  );
}

interface ChangeRowProps {
  term: string;
  /** Left out for a long text. */
  before?: string;
  now: ReactNode;
  /** Uses the whole width. */
  isLong?: boolean;
}

/** One changed field. */
function ChangeRow({ term, before, now, isLong = false }: ChangeRowProps) {
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
