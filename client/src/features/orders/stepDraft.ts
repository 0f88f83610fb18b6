import { orderDrafts } from "@/api/tabStorage";

/** What was written for a step of an order and not sent. A telephone may close the page while its camera is open. */
export interface StepDraft {
  words: string;
  category: string;
  /** The addresses of photographs that are uploaded. */
  photos: string[];
}

const EMPTY: StepDraft = { words: "", category: "", photos: [] };

const keyOf = (order: string, action: string) => `${order} ${action}`;

/** The draft of a step, empty if there is none. */
export function readStepDraft(order: string, action: string): StepDraft {
  return { ...EMPTY, ...(orderDrafts.read(keyOf(order, action)) as Partial<StepDraft> | undefined) };
}

/** Stores a draft in this tab; an empty one deletes it. */
export function writeStepDraft(order: string, action: string, draft: StepDraft = EMPTY): void {
  const isEmpty = draft.words.trim() === "" && draft.category === "" && draft.photos.length === 0;
  orderDrafts.write(keyOf(order, action), isEmpty ? null : draft);
}
