import * as t from "@/texts/selling";
import { Button } from "@/ui";

/** The note above a form with a restored draft, with a button that discards it. */
export function DraftNote({ onStartOver }: { onStartOver: () => void }) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-brand-soft px-4 py-2 text-brand">
      <span>{t.draftRestored}</span>
      <Button size="sm" variant="secondary" onClick={onStartOver}>
        {t.startOver}
      </Button>
    </p>
  );
}
