import { useState } from "react";
import { errorMessage } from "@/api/errors";
import type { Message, Thread } from "@/api/types";
import { cleanLines } from "@/lib/cleanText";
import * as t from "@/texts/messages";
import { Button, ConfirmDialog, Dialog, Textarea, useToast } from "@/ui";
import { useBlockMutation, useReportThreadMutation } from "./endpoints";

/** How many of the newest messages a report has. */
const REPORTED = 5;

interface Props {
  thread: Thread;
  /** The loaded messages, newest first. */
  messages: readonly Message[];
}

/** The buttons that block and report the other side. */
export function ThreadTools({ thread, messages }: Props) {
  const { name } = thread.with;
  const [open, setOpen] = useState<"block" | "report" | null>(null);
  const { block, isLoading } = useBlock(thread);
  return (
    <div className="flex gap-1">
      {thread.with._id && (
        <Button
          size="sm"
          variant="quiet"
          busy={isLoading}
          onClick={() => (thread.blocked ? block(false) : setOpen("block"))}
        >
          {thread.blocked ? t.unblock : t.block}
        </Button>
      )}
      <Button size="sm" variant="quiet" onClick={() => setOpen("report")}>
        {t.report}
      </Button>
      <ConfirmDialog
        open={open === "block"}
        title={t.blockQuestion(name)}
        confirmLabel={t.block}
        busy={isLoading}
        onConfirm={() => void block(true).then(() => setOpen(null))}
        onCancel={() => setOpen(null)}
      >
        <p>{t.blockConsequence}</p>
      </ConfirmDialog>
      <Dialog open={open === "report"} onClose={() => setOpen(null)} title={t.reportTitle(name)}>
        {open === "report" && <ReportForm thread={thread} messages={messages} onDone={() => setOpen(null)} />}
      </Dialog>
    </div>
  );
}

/** Blocks and unblocks the other side, and says so. */
export function useBlock({ _id, with: { name } }: Pick<Thread, "_id" | "with">) {
  const [send, { isLoading }] = useBlockMutation();
  const toast = useToast();
  const block = async (isBlocked: boolean) => {
    const { error } = await send({ threadID: _id, isBlocked });
    if (error) toast(errorMessage(error), "error");
    else toast((isBlocked ? t.blocked : t.unblocked)(name));
  };
  return { block, isLoading };
}

function ReportForm({ thread, messages, onDone }: Props & { onDone: () => void }) {
  const [report, { isLoading }] = useReportThreadMutation();
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string>();
  const toast = useToast();
  const theirs = messages.filter(({ mine, kind }) => !mine && kind !== "note").slice(0, REPORTED);
  const submit = async () => {
    const text = cleanLines(reason);
    if (text === "") return setError(t.reasonRequired);
    if (theirs.length === 0) return setError(t.nothingToReport);
    const { error: refused } = await report({
      threadID: thread._id,
      reason: text,
      messages: theirs.map(({ _id }) => _id),
    });
    if (refused) return setError(errorMessage(refused));
    toast(t.reported);
    onDone();
  };
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="text-muted text-sm">{t.reportHint}</p>
      <Textarea
        label={t.reason}
        name="reason"
        value={reason}
        error={error}
        onChange={(event) => {
          setReason(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" busy={isLoading}>
        {t.sendReport}
      </Button>
    </form>
  );
}
