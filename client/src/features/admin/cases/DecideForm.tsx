import type { FormEvent } from "react";
import type { Case, CaseDecisionBody } from "@/api/types";
import { cleanLines } from "@/lib/cleanText";
import { serverNow } from "@/lib/serverTime";
import * as t from "@/texts/cases";
import { Button, RadioCard, RadioGroup } from "@/ui";
import { DecisionText } from "@/ui/DecisionText";
import type { ShownCase } from "./Case";
import { type CaseDraft, useCaseDraft } from "./caseDraft";
import { useDecideCaseMutation } from "./endpoints";
import { RuleField, WordsField, wordsProblem } from "./fields";
import { type FormProps, useSend } from "./useSend";

type Choice = CaseDecisionBody["decision"];

/** What can be decided about each kind of target. */
const CHOICES: Record<Case["kind"], Choice[]> = {
  product: ["keep", "warn", "remove", "suspend", "close"],
  person: ["keep", "warn", "suspend", "close"],
  thread: ["keep", "warn", "suspend", "close"],
  picture: ["keep", "remove"],
};
const DAYS = [1, 7, 30];
const DAY = 86_400_000;

interface Props extends FormProps {
  of: ShownCase;
}

/** The form with which an admin decides an open case. */
export function DecideForm({ of: one, ...props }: Props) {
  const { draft, change, forget } = useCaseDraft(one._id);
  const { wrong, submit } = useSend(props);
  const [decide, { isLoading, isSuccess }] = useDecideCaseMutation();
  const choice = CHOICES[one.kind].find((known) => known === draft.choice);
  const isAgainst = choice !== undefined && choice !== "keep";
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const body = bodyOf(one, draft, choice ?? "keep");
    const found = {
      decision: choice ? undefined : t.decisionMissing,
      ...(isAgainst && {
        days: choice === "suspend" && !draft.days ? t.decisionMissing : undefined,
        rule: draft.rule ? undefined : t.ruleMissing,
        words: wordsProblem(body.words ?? ""),
      }),
    };
    if (await submit(found, () => decide(body), t.decided)) forget();
  };
  return (
    <form noValidate aria-label={t.decide} onSubmit={(event) => void onSubmit(event)} className="grid gap-5">
      <h3>{t.decide}</h3>
      <ChoiceField kind={one.kind} draft={draft} error={wrong.decision} onChange={change} />
      {choice === "keep" && <UnfoundedField draft={draft} onChange={change} />}
      {choice === "suspend" && <DaysField draft={draft} error={wrong.days} onChange={change} />}
      {isAgainst && (
        <>
          <RuleField value={draft.rule} error={wrong.rule} onChange={(rule) => change({ rule })} />
          <WordsField value={draft.words} error={wrong.words} onChange={(words) => change({ words })} />
          <Preview of={one} draft={draft} />
        </>
      )}
      <Button type="submit" busy={isLoading || isSuccess} className="justify-self-start">
        {t.submit}
      </Button>
    </form>
  );
}

/** What is sent: a decision that changes nothing has no words. */
function bodyOf(
  { _id, version }: ShownCase,
  draft: CaseDraft,
  decision: Choice,
): CaseDecisionBody & { id: string } {
  const body = { id: _id, version, decision };
  if (decision === "keep") return draft.unfounded ? { ...body, unfounded: true } : body;
  const why = { rule: draft.rule, words: cleanLines(draft.words) };
  return { ...body, ...why, ...(decision === "suspend" && { days: Number(draft.days) }) };
}

interface FieldProps {
  draft: CaseDraft;
  error?: string;
  onChange: (part: Partial<CaseDraft>) => void;
}

function ChoiceField({ kind, draft, error, onChange }: FieldProps & { kind: Case["kind"] }) {
  const removable = kind === "picture" ? kind : "product";
  return (
    <RadioGroup label={t.choose} error={error}>
      {CHOICES[kind].map((choice) => (
        <RadioCard
          key={choice}
          name="decision"
          value={choice}
          checked={draft.choice === choice}
          onChange={() => onChange({ choice })}
        >
          <span className="grid">
            <span className="font-semibold">
              {choice === "remove" ? t.removes[removable] : t.decisions[choice]}
            </span>
            <span className="text-muted text-sm">
              {choice === "remove" ? t.effects.remove[removable] : t.effects[choice]}
            </span>
          </span>
        </RadioCard>
      ))}
    </RadioGroup>
  );
}

function DaysField({ draft, error, onChange }: FieldProps) {
  return (
    <RadioGroup label={t.days} error={error}>
      <div className="grid gap-1.5 sm:grid-cols-3">
        {DAYS.map((count) => (
          <RadioCard
            key={count}
            name="days"
            value={count}
            checked={draft.days === String(count)}
            onChange={() => onChange({ days: String(count) })}
          >
            {t.daysOf(count)}
          </RadioCard>
        ))}
      </div>
    </RadioGroup>
  );
}

function UnfoundedField({ draft, onChange }: FieldProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input
        type="checkbox"
        name="unfounded"
        checked={draft.unfounded}
        onChange={({ target: { checked } }) => onChange({ unfounded: checked })}
        className="size-5 shrink-0 accent-brand"
      />
      <span className="grid">
        <span className="font-semibold">{t.unfounded}</span>
        <span className="text-muted text-sm">{t.unfoundedHint}</span>
      </span>
    </label>
  );
}

/** What the person concerned will read, once there is a rule and words. */
function Preview({ of: { kind, target }, draft }: { of: ShownCase; draft: CaseDraft }) {
  const { choice, days, rule, words } = draft;
  const isComplete = rule !== "" && (choice !== "suspend" || days !== "");
  const until = new Date(serverNow() + Number(days) * DAY).toISOString();
  return (
    <section
      aria-labelledby="preview"
      className="grid gap-2 rounded-lg border border-line bg-sunk p-4 sm:p-5"
    >
      <h4 id="preview" className="text-muted text-sm">
        {kind === "picture" ? t.nobodyReads : t.preview}
      </h4>
      {kind !== "picture" && isComplete && (
        <DecisionText
          decision={{ decision: choice, rule, words: cleanLines(words), until, target: { ...target, kind } }}
        />
      )}
    </section>
  );
}
