import { useEffect } from "react";
import type { Product } from "@/api/types";
import * as t from "@/texts/selling";
import { Button, useAnnounce } from "@/ui";
import { type Editable, formValuesOf } from "./formValues";

interface Props {
  fields: readonly Editable[];
  /** As it is now. */
  product: Product;
  onTake: (field: Editable) => void;
}

/**
 * The fields that were saved elsewhere while the seller was editing them. It is at the end of the form, where it moves
 * nothing when it appears.
 */
export function EditConflicts({ fields, product, onTake }: Props) {
  const announce = useAnnounce();
  const some = fields.length > 0;
  useEffect(() => {
    if (some) announce(t.changedElsewhere);
  }, [some, announce]);
  if (!some) return null;
  const now = formValuesOf(product);
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
              {field === "image" ? t.contestedPhotos : t.contested(t.labels[field], now[field])}
            </span>
            <Button size="sm" variant="secondary" onClick={() => onTake(field)}>
              {t.takeThat(t.labels[field])}
            </Button>
          </li>
        ))}
      </ul>
      <p className="text-sm">{t.elseYours}</p>
    </section>
  );
}
