import { type FormEvent, useId, useRef, useState } from "react";
import { cleanLines } from "@/lib/cleanText";
import { type ContactFinding, findContact } from "@/lib/contact";
import * as t from "@/texts/messages";
import { Button, cx } from "@/ui";

/** The longest message, in characters; the server checks it too. */
const MAX_LENGTH = 2000;

interface Props {
  /** The buyer has paid: contact data can be sent. */
  isPaid: boolean;
  initialText?: string;
  /** The three questions are shown above the field. */
  hasQuestions?: boolean;
  /** The text is being sent, and stays until this screen is left: it may be refused. */
  busy?: boolean;
  /** The server's error. */
  error?: string;
  onSend: (text: string, confirm: boolean) => void;
}

/** The field for a message. Enter sends it, Shift and Enter begin a new line. */
export function Composer({ initialText = "", isPaid, hasQuestions, busy, error, onSend }: Props) {
  const [text, setText] = useState(initialText);
  const [finding, setFinding] = useState<ContactFinding>("");
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const isTooLong = Array.from(cleanLines(text)).length > MAX_LENGTH;

  const submit = (confirm: boolean) => {
    const cleaned = cleanLines(text);
    if (cleaned === "" || isTooLong) return field.current?.focus();
    const found = findContact(cleaned, { origin: location.origin, isPaid });
    if (found && !(found === "contact_warning" && confirm)) return setFinding(found);
    setFinding("");
    if (busy === undefined) setText("");
    onSend(cleaned, confirm);
    field.current?.focus();
  };
  const problem = isTooLong ? t.tooLong(MAX_LENGTH) : finding ? t.findings[finding] : error;
  return (
    <form
      className="grid gap-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit(false);
      }}
    >
      {hasQuestions && (
        <ul aria-label={t.quick} className="flex flex-wrap gap-2">
          {t.questions.map((question) => (
            <li key={question}>
              <Button
                variant="secondary"
                size="sm"
                className="rounded-full! text-start"
                onClick={() => {
                  setText(question);
                  field.current?.focus();
                }}
              >
                {question}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          rows={Math.min(5, text.split("\n").length)}
          value={text}
          readOnly={busy}
          aria-label={t.write}
          placeholder={t.write}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? id : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setFinding("");
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit(false);
          }}
          className={cx(
            "min-h-12 w-full resize-none rounded-sm border bg-surface px-3.5 py-2.5 text-ink placeholder:text-muted",
            problem ? "border-danger" : "border-edge",
          )}
        />
        <Button type="submit" busy={busy} className="min-h-12">
          {t.send}
        </Button>
      </div>
      <div id={id} role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm empty:hidden">
        {problem && <p className="font-medium text-danger">{problem}</p>}
        {finding === "contact_warning" && (
          <Button size="sm" variant="secondary" onClick={() => submit(true)}>
            {t.sendAnyway}
          </Button>
        )}
      </div>
    </form>
  );
}
