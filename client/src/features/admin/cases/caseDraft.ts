import { useEffect, useState } from "react";
import { caseDrafts } from "@/api/tabStorage";

/** What an admin was about to decide. */
export interface CaseDraft {
  /** A decision, or the outcome of an appeal. */
  choice: string;
  days: string;
  rule: string;
  words: string;
  unfounded: boolean;
}

const EMPTY: CaseDraft = { choice: "", days: "", rule: "", words: "", unfounded: false };

const stored = (key: string) => caseDrafts.read(key) as Partial<CaseDraft> | undefined;

/** The values of a form of a case. They are kept in this tab until they are sent. */
export function useCaseDraft(key: string) {
  const [draft, setDraft] = useState<CaseDraft>(() => ({ ...EMPTY, ...stored(key) }));
  useEffect(() => caseDrafts.write(key, Object.values(draft).some(Boolean) ? draft : null), [key, draft]);
  return {
    draft,
    change: (part: Partial<CaseDraft>) => setDraft((before) => ({ ...before, ...part })),
    /** Forgets what is sent. The form shows it until the case has changed. */
    forget: () => caseDrafts.write(key, null),
  };
}
