import { type ReactNode, useState } from "react";
import { messageOf } from "@/api/errors";
import type { Entity } from "@/lib/live";
import * as t from "@/texts/admin";
import { Button, ConfirmDialog, slots, useToast } from "@/ui";

/** What a deletion asks and says. */
interface Words<T> {
  /** The confirmation, e.g. "Are you sure you want to delete this buyer?". */
  question: string;
  /** The toast afterwards. */
  done: string;
  /** Names the row, for the button's title: its accessible name is the specification's word alone. */
  name: (row: T) => string;
  /** What goes with it: a sentence with a gap for `what`. */
  stake: string;
}

/** The Delete buttons of a table and the dialog that asks first. */
export function useDeletion<T extends Entity>(
  remove: (id: string) => Promise<{ error?: unknown }>,
  words: Words<T>,
): { button: (row: T) => ReactNode; dialog: ReactNode } {
  const [row, setRow] = useState<T | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();

  const confirm = async () => {
    if (!row) return;
    setBusy(true);
    const { error } = await remove(row._id);
    setBusy(false);
    setRow(null);
    if (error) toast(messageOf(error), "error");
    else toast(words.done);
  };

  return {
    button: (one) => (
      <Button size="sm" variant="danger" title={t.removeTitle(words.name(one))} onClick={() => setRow(one)}>
        {t.remove}
      </Button>
    ),
    dialog: (
      <ConfirmDialog
        open={row !== null}
        title={words.question}
        busy={busy}
        onConfirm={() => void confirm()}
        onCancel={() => setRow(null)}
      >
        <p>{slots(words.stake, { what: <strong>{row && words.name(row)}</strong> })}</p>
      </ConfirmDialog>
    ),
  };
}
