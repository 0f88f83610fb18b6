import { Link, useSearchParams } from "react-router-dom";
import type { Case } from "@/api/types";
import { useAllPages } from "@/api/useAllPages";
import { type ListView, rowsOf, useList } from "@/api/useList";
import { serverNow } from "@/lib/serverTime";
import * as t from "@/texts/cases";
import { shortMinute } from "@/texts/dates";
import { Badge, buttonClass, Options, rowLinkClass, Select, Thumbnail } from "@/ui";
import { AdminTable } from "../AdminTable";
import { APPEALED, CLOSED, casePath, cases, DECIDED, OPEN } from "./endpoints";
import { isOfYoung, rulesOf, waitsSince } from "./facts";

type Choice = keyof typeof t.choices;

/** /dashboard/cases: what was reported, the oldest first; `?state=` has the cases that nobody has to decide. */
export default function Cases() {
  const [params, setParams] = useSearchParams();
  const wanted = params.get("state") ?? "";
  const choice: Choice = wanted === "decided" || wanted === "closed" ? wanted : "";
  const { view, rows } = useCases(choice);
  return (
    <AdminTable
      title={t.title}
      view={view}
      rows={rows}
      choice={choice}
      controls={
        <div className="max-w-64">
          <Select
            label={t.show}
            value={choice}
            onChange={({ target: { value } }) => setParams(value ? { state: value } : {}, { replace: true })}
          >
            <Options labels={t.choices} />
          </Select>
        </div>
      }
      columns={[
        {
          header: t.picture,
          cardSlot: "picture",
          width: "w-24",
          cell: ({ target }) => <Thumbnail product={{ img: target.img ?? "" }} />,
        },
        { header: t.what, cardSlot: "title", cell: (one) => <WhatCell of={one} /> },
        { header: t.reports, cell: (one) => <ReportsCell of={one} /> },
        { header: t.waiting, width: "w-40", cell: (one) => <SinceCell of={one} /> },
        {
          header: t.act,
          cardSlot: "action",
          width: "w-44",
          cell: ({ _id, target }) => (
            <Link
              to={casePath(_id)}
              title={t.openCaseOf(target.name)}
              className={buttonClass({ size: "sm", variant: "secondary" })}
            >
              {t.openCase}
            </Link>
          ),
        },
      ]}
      empty={t.empty[choice]}
      emptyHint={t.emptyHint[choice]}
    />
  );
}

/** The cases to decide are two lists. */
function useCases(choice: Choice): { view: ListView<Case>; rows: Case[] } {
  const isToDecide = choice === "";
  const one = useList(cases, isToDecide ? null : choice === "decided" ? DECIDED : CLOSED);
  const open = useAllPages(useList(cases, isToDecide ? OPEN : null));
  const appealed = useAllPages(useList(cases, isToDecide ? APPEALED : null));
  if (!isToDecide) return { view: one, rows: rowsOf(one.list) };
  const failed = [open, appealed].filter(({ error }) => error);
  const retry = () => {
    for (const one of failed) one.retry();
  };
  const view = failed[0] ? { ...failed[0], retry } : open.list ? appealed : open;
  const isLoaded = open.list && appealed.list;
  const rows = isLoaded ? [...rowsOf(open.list), ...rowsOf(appealed.list)] : [];
  return { view, rows: rows.sort((a, b) => waitsSince(a) - waitsSince(b)) };
}

function WhatCell({ of: { _id, kind, target, state } }: { of: Case }) {
  const { name, person } = target;
  return (
    <div className="grid justify-items-start gap-1">
      <Link to={casePath(_id)} className={rowLinkClass}>
        {name}
      </Link>
      <span className="text-muted text-sm">
        {person && person !== name ? t.about(t.kinds[kind], person) : t.kinds[kind]}
      </span>
      {state === "appealed" && <Badge tone="warn">{t.states.appealed}</Badge>}
    </div>
  );
}

function ReportsCell({ of: one }: { of: Case }) {
  return (
    <div className="grid justify-items-start gap-1">
      <span>{t.counted(one.reportCount)}</span>
      <span className="text-muted text-sm">{rulesOf(one)}</span>
      {isOfYoung(one) && (
        <Badge tone="warn" title={t.newAccountHint}>
          {t.newAccount}
        </Badge>
      )}
    </div>
  );
}

function SinceCell({ of: one }: { of: Case }) {
  const time = waitsSince(one);
  const at = new Date(time).toISOString();
  return (
    <time dateTime={at} title={shortMinute(at)}>
      {t.since(time, serverNow())}
    </time>
  );
}
