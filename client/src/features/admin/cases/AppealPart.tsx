import type { FormEvent } from "react";
import type { Case } from "@/api/types";
import { cleanLines } from "@/lib/cleanText";
import * as t from "@/texts/cases";
import { Button, RadioCard, RadioGroup } from "@/ui";
import type { ShownCase } from "./Case";
import { useCaseDraft } from "./caseDraft";
import { useAnswerAppealMutation } from "./endpoints";
import { WordsField, wordsProblem } from "./fields";
import { type FormProps, useSend } from "./useSend";

const OUTCOMES = ["upheld", "reversed"] as const;

interface Props extends FormProps {
  of: ShownCase;
  appeal: NonNullable<Case["appeal"]>;
}

/** What the person concerned answers to a decision, and what an admin has answered, or the form for it. */
export function AppealPart({ appeal, ...props }: Props) {
  const { text, at, state, words, by } = appeal;
  const { target } = props.of;
  return (
    <section aria-labelledby="appeal" className="grid gap-3 wrap-anywhere">
      <h3 id="appeal">{t.appeal}</h3>
      <p className="text-muted text-sm">{t.appealedAt(target.person || target.name, at)}</p>
      <blockquote className="border-accent border-s-4 ps-4 whitespace-pre-line">{text}</blockquote>
      {state === "open" ? (
        <AppealForm {...props} />
      ) : (
        <>
          <p className="font-semibold">{t.answered[state]}</p>
          {by && <p className="text-muted text-sm">{by}</p>}
          <blockquote className="border-accent border-s-4 ps-4 whitespace-pre-line">{words}</blockquote>
        </>
      )}
    </section>
  );
}

function AppealForm({ of: { _id: id, version }, ...props }: Omit<Props, "appeal">) {
  const { draft, change, forget } = useCaseDraft(`${id} appeal`);
  const { wrong, submit } = useSend(props);
  const [answer, { isLoading, isSuccess }] = useAnswerAppealMutation();
  const outcome = OUTCOMES.find((known) => known === draft.choice);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const words = cleanLines(draft.words);
    const found = { outcome: outcome ? undefined : t.outcomeMissing, words: wordsProblem(words) };
    const send = () => answer({ id, version, outcome: outcome ?? "upheld", words });
    if (await submit(found, send, t.appealAnswered)) forget();
  };
  return (
    <form
      noValidate
      aria-label={t.answerAppeal}
      onSubmit={(event) => void onSubmit(event)}
      className="grid gap-5"
    >
      <RadioGroup label={t.answerAppeal} error={wrong.outcome}>
        {OUTCOMES.map((one) => (
          <RadioCard
            key={one}
            name="outcome"
            value={one}
            checked={outcome === one}
            onChange={() => change({ choice: one })}
          >
            <span className="grid">
              <span className="font-semibold">{t.outcomes[one]}</span>
              <span className="text-muted text-sm">{t.outcomeEffects[one]}</span>
            </span>
          </RadioCard>
        ))}
      </RadioGroup>
      <WordsField value={draft.words} error={wrong.words} onChange={(words) => change({ words })} />
      <Button type="submit" busy={isLoading || isSuccess} className="justify-self-start">
        {t.submit}
      </Button>
    </form>
  );
}
