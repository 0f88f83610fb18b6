import * as t from "@/texts/search";

interface Props {
  text: string;
  /** Leads to the search field. */
  onChange: () => void;
}

/** A notice above the results that the server has corrected search words, or has let some go. */
export function SearchNotice({ text, onChange }: Props) {
  return (
    <p className="wrap-anywhere rounded-md border border-line bg-surface px-4 py-2">
      <span>{text}</span>{" "}
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
