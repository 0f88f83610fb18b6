import { useState } from "react";
import { toApiError } from "@/api/errors";
import type { RemovalReason } from "@/api/types";
import { cleanLines } from "@/lib/cleanText";
import type { Entity } from "@/lib/live";
import * as t from "@/texts/admin";
import { Button, ConfirmDialog, Trans, useToast } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { wordsProblem } from "./cases/fields";
import { type Reason, RemovalReasonFields } from "./RemovalReasonFields";

/** The texts of a deletion. */
interface Words<T> {
  /** The confirmation, e.g. "Are you sure you want to delete this buyer?". */
  question: string;
  /** The toast afterwards. */
  done: string;
  /** Names the row, for the button's title: its accessible name is the specification's word alone. */
  name: (row: T) => string;
  /** What else is deleted: a template with the placeholder `what`. */
  consequence: string;
  /** For a button that is not the specification's Delete: its text, without and with the name. */
  own?: { label: string; titled: (name: string) => string };
  /** For a deletion with small consequences. */
  variant?: "secondary";
  /** Somebody is concerned, who reads why: an admin may say so. */
  takesReason?: true;
}

interface Deletion<T> {
  button: (row: T) => Elements;
  dialog: Elements;
  /** Whether the row was deleted on this screen, or was found to be deleted. */
  isGone: (id: string) => boolean;
}

/** The Delete buttons of a table and the dialog that asks first. */
export function useDeletion<T extends Pick<Entity, "_id">>(
  remove: (id: string, reason: RemovalReason | undefined) => Promise<{ error?: unknown }>,
  words: Words<T>,
): Deletion<T> {
  const { own, variant = "danger" } = words;
  const [row, setRow] = useState<T | null>(null);
  const [busy, setBusy] = useState(false);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState<Reason | null>(null);
  const [wrong, setWrong] = useState<Record<string, string | undefined>>({});
  const toast = useToast();
  const ask = (next: T | null) => {
    setRow(next);
    setReason(null);
    setWrong({});
  };

  const confirm = async () => {
    if (!row) return;
    const sent = reason && sentReason(reason);
    const problem = sent?.words && wordsProblem(sent.words);
    setWrong({ words: problem });
    if (problem) return;
    setBusy(true);
    const { error } = await remove(row._id, sent ?? undefined);
    setBusy(false);
    const failure = error === undefined ? null : toApiError(error);
    if (reason && failure?.fields) return setWrong(failure.fields);
    ask(null);
    if (failure) toast(failure.message, "error");
    else toast(words.done);
    if (!failure || failure.status === 404) setGone((before) => new Set(before).add(row._id));
  };

  return {
    button: (one) => (
      <Button
        size="sm"
        variant={variant}
        title={(own?.titled ?? t.deleteTitle)(words.name(one))}
        onClick={() => ask(one)}
      >
        {own?.label ?? t.deleteLabel}
      </Button>
    ),
    isGone: (id) => gone.has(id),
    dialog: (
      <ConfirmDialog
        open={row !== null}
        title={words.question}
        confirmLabel={own?.label}
        busy={busy}
        onConfirm={() => void confirm()}
        onCancel={() => ask(null)}
      >
        <p>
          <Trans text={words.consequence} values={{ what: <strong>{row && words.name(row)}</strong> }} />
        </p>
        {words.takesReason && <RemovalReasonFields reason={reason} wrong={wrong} onChange={setReason} />}
      </ConfirmDialog>
    ),
  };
}

/** The reason without what was not filled in; null for none. */
function sentReason({ rule, words }: Reason): RemovalReason | null {
  const cleaned = cleanLines(words);
  const sent = { ...(rule && { rule }), ...(cleaned && { words: cleaned }) };
  return Object.keys(sent).length > 0 ? sent : null;
}
