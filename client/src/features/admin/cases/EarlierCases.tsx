import { Link } from "react-router-dom";
import type { CaseDetail } from "@/api/types";
import * as t from "@/texts/cases";
import { shortDay } from "@/texts/dates";
import { casePath } from "./endpoints";

/** The other cases about the person, newest first. */
export function EarlierCases({ cases }: { cases: CaseDetail["earlier"] }) {
  return (
    <section aria-labelledby="earlier" className="grid gap-2">
      <h3 id="earlier">{t.earlier}</h3>
      {cases.length === 0 && <p className="text-muted">{t.noEarlier}</p>}
      <ul className="divide-y divide-line">
        {cases.map(({ _id, kind, name, state, decision, openedAt }) => (
          <li key={_id} className="flex flex-wrap justify-between gap-x-4 py-2">
            <Link to={casePath(_id)} className="text-brand underline underline-offset-4 wrap-anywhere">
              {t.named(t.kinds[kind], name)}
            </Link>
            <span className="text-muted text-sm">
              {[decision ? t.decisions[decision] : t.states[state], shortDay(openedAt)].join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
