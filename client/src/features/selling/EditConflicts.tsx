import { useEffect } from "react";
import type { Product } from "@/api/types";
import * as t from "@/texts/selling";
import { Button, useAnnounce } from "@/ui";
import { type EditableField, type FormValues, toFormValues } from "./formValues";

interface Props {
  fields: readonly EditableField[];
  /** The current phone. */
  product: Product;
  onUseSaved: (field: EditableField) => void;
}

/**
 * The fields that were changed elsewhere while the seller was editing them. It is at the end of the form, where nothing is
 * moved when it appears.
 */
export function EditConflicts({ fields, product, onUseSaved }: Props) {
  const announce = useAnnounce();
  const hasConflicts = fields.length > 0;
  useEffect(() => {
    if (hasConflicts) announce(t.changedElsewhere);
  }, [hasConflicts, announce]);
  if (!hasConflicts) return null;
  const now = toFormValues(product);
  return (
    <section
      aria-labelledby="contested-title"
      className="grid gap-3 rounded-md border border-accent bg-accent-soft p-4 text-ink"
    >
      <h3 id="contested-title" className="font-bold text-accent">
        {t.changedElsewhere}
      </h3>
      <ul className="grid gap-2">
        {fields.map((field) => (
          <li key={field} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
              {field === "image" ? t.photosSavedElsewhere : t.savedValue(nameOf(field), textOf(now, field))}
            </span>
            <Button size="sm" variant="secondary" onClick={() => onUseSaved(field)}>
              {t.acceptSaved(nameOf(field))}
            </Button>
          </li>
        ))}
      </ul>
      <p className="text-sm">{t.conflictHint}</p>
    </section>
  );
}

/** The label of delivery is a question, which has no place in a sentence. */
const nameOf = (field: EditableField) => (field === "delivers" ? t.delivery : t.labels[field]);

function textOf(values: FormValues, field: Exclude<EditableField, "image">): string {
  if (field === "delivers") return t.deliveries[values.delivers];
  return field === "offers" ? t.offersTaken[`${values.offers}`] : values[field];
}
