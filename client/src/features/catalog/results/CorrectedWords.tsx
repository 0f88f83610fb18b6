import * as t from "@/texts/search";
import type { Correction } from "./correctionOf";

interface Props {
  correction: Correction;
  /** Leads to the search field. */
  onChange: () => void;
}

/** A notice above the results that the server has corrected the search words. */
export function CorrectedWords({ correction, onChange }: Props) {
  return (
    <p className="wrap-anywhere rounded-md border border-line bg-surface px-4 py-2">
      <span>{t.corrected(correction)}</span>{" "}
      <button
        type="button"
        onClick={onChange}
        className="inline-block py-1 font-semibold text-brand underline underline-offset-4"
      >
        {t.changeSearch}
      </button>
    </p>
  );
}
