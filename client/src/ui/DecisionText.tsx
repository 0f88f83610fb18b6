import * as t from "@/texts/decisions";

interface Props {
  decision: {
    decision: string;
    rule: string;
    words: string;
    /** The end of a suspension, RFC 3339. */
    until?: string;
    target: { kind?: string; name: string };
  };
}

/** A decision, as the person concerned reads it. */
export function DecisionText({ decision }: Props) {
  return (
    <div className="grid gap-2 wrap-anywhere">
      <p className="font-semibold">{t.whatOf(decision)}</p>
      <p>{t.theRule(decision.rule)}</p>
      {decision.words && (
        <div className="grid gap-1">
          <p className="text-muted text-sm">{t.inWords}</p>
          <blockquote className="border-accent border-s-4 ps-4 whitespace-pre-line">
            {decision.words}
          </blockquote>
        </div>
      )}
      <p className="text-muted text-sm">{t.byPerson}</p>
    </div>
  );
}
