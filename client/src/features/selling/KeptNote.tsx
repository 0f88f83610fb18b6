import * as t from "@/texts/selling";
import { Button } from "@/ui";

/** Above a form: what was typed before is there again, and can be dropped. */
export function KeptNote({ onAnew }: { onAnew: () => void }) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-brand-soft px-4 py-2 text-brand">
      {t.keptDraft}
      <Button size="sm" variant="secondary" onClick={onAnew}>
        {t.startAnew}
      </Button>
    </p>
  );
}
