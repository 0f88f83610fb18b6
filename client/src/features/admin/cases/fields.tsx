import * as t from "@/texts/cases";
import { RadioCard, RadioGroup, Textarea } from "@/ui";
import { KeptTexts } from "../KeptTexts";

/** The limits of the words to the person concerned, in characters. */
export const MIN_WORDS = 20;
export const MAX_WORDS = 1000;

/** Why these words can't be sent; undefined if they can. */
export function wordsProblem(words: string): string | undefined {
  const count = [...words].length;
  if (count < MIN_WORDS) return t.wordsShort(MIN_WORDS);
  return count > MAX_WORDS ? t.wordsLong(MAX_WORDS) : undefined;
}

interface Props {
  value: string;
  error?: string;
  onChange: (value: string) => void;
}

/** The rules, as buttons. */
export function RuleField({ value, error, onChange }: Props) {
  return (
    <RadioGroup label={t.rule} error={error}>
      <div className="grid gap-1.5 sm:grid-cols-3">
        {Object.entries(t.rules).map(([rule, name]) => (
          <RadioCard
            key={rule}
            name="rule"
            value={rule}
            checked={value === rule}
            onChange={() => onChange(rule)}
          >
            {name}
          </RadioCard>
        ))}
      </div>
    </RadioGroup>
  );
}

/** What the person concerned reads, typed or taken from the kept texts. */
export function WordsField({ value, error, onChange }: Props) {
  return (
    <div className="grid gap-2">
      <Textarea
        label={t.words}
        hint={t.wordsHint}
        note={
          <span className="text-muted text-sm tabular-nums">
            {t.length([...value.trim()].length, MIN_WORDS, MAX_WORDS)}
          </span>
        }
        name="words"
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      <KeptTexts text={value} onPick={onChange} />
    </div>
  );
}
