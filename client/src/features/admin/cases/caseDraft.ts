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

const readAll = () => (caseDrafts.read() ?? {}) as Record<string, Partial<CaseDraft>>;

/** Stores a draft in this tab; null deletes it. */
function write(key: string, draft: CaseDraft | null): void {
  const { [key]: _, ...others } = readAll();
  const all = draft ? { ...others, [key]: draft } : others;
  caseDrafts.write(Object.keys(all).length === 0 ? null : all);
}

/** The values of a form of a case. They are kept in this tab until they are sent. */
export function useCaseDraft(key: string) {
  const [draft, setDraft] = useState<CaseDraft>(() => ({ ...EMPTY, ...readAll()[key] }));
  useEffect(() => write(key, Object.values(draft).some(Boolean) ? draft : null), [key, draft]);
  return {
    draft,
    change: (part: Partial<CaseDraft>) => setDraft((before) => ({ ...before, ...part })),
    /** Forgets what is sent. The form shows it until the case has changed. */
    forget: () => write(key, null),
  };
}
