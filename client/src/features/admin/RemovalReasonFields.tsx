import * as t from "@/texts/admin";
import { Button } from "@/ui";
import { RuleField, WordsField } from "./cases/fields";

/** Why an admin removes something; both may be empty. */
export interface Reason {
  rule: string;
  words: string;
}

interface Props {
  /** Null until the admin wants to give one. */
  reason: Reason | null;
  /** What is wrong with each field. */
  wrong: Record<string, string | undefined>;
  onChange: (reason: Reason | null) => void;
}

/** An optional reason in a confirmation: a rule and words. */
export function RemovalReasonFields({ reason, wrong, onChange }: Props) {
  return (
    <div className="mt-4 grid gap-4">
      <p className="text-muted text-sm">{t.withoutReason}</p>
      <Button
        size="sm"
        variant="secondary"
        className="justify-self-start"
        aria-expanded={reason !== null}
        onClick={() => onChange(reason ? null : { rule: "", words: "" })}
      >
        {t.giveReason}
      </Button>
      {reason && (
        <>
          <RuleField
            value={reason.rule}
            error={wrong.rule}
            onChange={(rule) => onChange({ ...reason, rule })}
          />
          <WordsField
            value={reason.words}
            error={wrong.words}
            onChange={(words) => onChange({ ...reason, words })}
          />
        </>
      )}
    </div>
  );
}
