import * as t from "@/texts/cases";
import { Badge } from "@/ui";
import type { ShownCase } from "./Case";

/** Who has reported what, oldest first. */
export function CaseReports({ of: { reports, reportCount } }: { of: ShownCase }) {
  return (
    <section aria-labelledby="reports" className="grid gap-2">
      <h3 id="reports">{t.allReports(reportCount)}</h3>
      <ul className="divide-y divide-line">
        {reports.map(({ rule, reason, by, at, young }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: reports are added at the end
          <li key={index} className="grid gap-1 py-3 wrap-anywhere">
            <p className="flex flex-wrap gap-2">
              <Badge>{t.rules[rule] ?? rule}</Badge>
              {young && <Badge tone="warn">{t.young}</Badge>}
            </p>
            <p className="whitespace-pre-line">{reason}</p>
            <p className="text-muted text-sm">{t.byAt(by, at)}</p>
          </li>
        ))}
      </ul>
      {reports.length > 0 && reportCount > reports.length && (
        <p className="text-muted text-sm">{t.moreReports(reportCount - reports.length)}</p>
      )}
    </section>
  );
}
