import * as t from "@/texts/find";
import { Button } from "@/ui";
import type { Correction } from "./correctionOf";

interface Props {
  correction: Correction;
  /** Leads to the search field. */
  onChange: () => void;
}

/** Says above the results that they are those of other words than the ones that were asked for. */
export function CorrectedWords({ correction, onChange }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-4 py-3">
      <p className="min-w-0 wrap-anywhere">{t.corrected(correction)}</p>
      <Button size="sm" variant="secondary" onClick={onChange}>
        {t.changeSearch}
      </Button>
    </div>
  );
}
