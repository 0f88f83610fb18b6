import type { Case } from "@/api/types";
import * as t from "@/texts/cases";
import { theRule } from "@/texts/decisions";
import type { ShownCase } from "./Case";

interface Props {
  of: ShownCase;
  decision: NonNullable<Case["decision"]>;
}

/** What an admin has decided. */
export function DecidedPart({ of: { kind }, decision }: Props) {
  const { decision: what, rule, words, at, by, until, unfounded } = decision;
  const name =
    what === "remove" && (kind === "product" || kind === "picture") ? t.removes[kind] : t.decisions[what];
  return (
    <section aria-labelledby="decision" className="grid gap-2 wrap-anywhere">
      <h3 id="decision">{t.decision}</h3>
      <p className="font-semibold">{until ? `${name} ${t.suspendedFor(until)}` : name}</p>
      <p className="text-muted text-sm">{t.decidedBy(by, at)}</p>
      {rule && <p>{theRule(rule)}</p>}
      {words && (
        <blockquote className="border-accent border-s-4 ps-4 whitespace-pre-line">{words}</blockquote>
      )}
      {unfounded && <p>{t.wasUnfounded}</p>}
    </section>
  );
}
