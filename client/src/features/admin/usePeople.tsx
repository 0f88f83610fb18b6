import type { ReactNode } from "react";
import type { User } from "@/api/types";
import { useAllPages } from "@/api/useAllPages";
import { type ListView, rowsOf } from "@/api/useList";
import * as t from "@/texts/admin";
import { Button, cx, Field, Options, Select, useRowSnapshot } from "@/ui";
import { type Choice, usePeopleChoice, type Verified } from "./usePeopleChoice";

interface TableOptions {
  /** The message of an empty table, and what the admin can do. */
  none: string;
  noneHint: ReactNode;
  /** Whether these people can be verified, so that the table can be filtered by that. */
  isVerifiable?: boolean;
}

/** The table of the people that the admin has chosen, with the controls to choose them: props of AdminTable. */
export function usePeople(all: ListView<User>, { none, noneHint, isVerifiable = false }: TableOptions) {
  const choice = usePeopleChoice();
  const { q, verified, choose } = choice;
  const isFiltered = q !== "" || verified !== "";
  const view = useAllPages(all, isFiltered);
  const key = `${verified} ${q}`;
  // The row of a seller who is verified meanwhile stays until the admin changes the filter.
  const isChosen = useRowSnapshot(key, (user: User) => matches(user, { q, verified }));
  const rows = rowsOf(view.list).filter(isChosen);
  const matching = rows.filter((user) => matches(user, { q, verified })).length;
  const total = view.list?.total ?? 0;
  const isNoMatch = isFiltered && total > 0;
  return {
    view,
    rows,
    choice: key,
    controls: (
      <div className="grid gap-2">
        <Controls {...choice} isVerifiable={isVerifiable} />
        {/* Its end stays free for the table's button that shows new rows. */}
        <p role="status" className="min-h-9 content-center pe-40 text-muted text-sm tabular-nums">
          {isFiltered && view.list && t.matching(matching, total)}
        </p>
      </div>
    ),
    empty: isNoMatch ? t.noMatch : none,
    emptyHint: isNoMatch ? (
      <Button variant="secondary" onClick={() => choose({ q: "", verified: "" })}>
        {t.showAll}
      </Button>
    ) : (
      noneHint
    ),
  };
}

function matches({ name, email, status }: User, { q, verified }: Choice): boolean {
  if (verified !== "" && (status === "verified") !== (verified === "yes")) return false;
  return `${name} ${email}`.toLowerCase().includes(q.toLowerCase());
}

type ControlsProps = ReturnType<typeof usePeopleChoice> & Pick<TableOptions, "isVerifiable">;

function Controls({ text, type, verified, choose, isVerifiable }: ControlsProps) {
  return (
    <div
      className={cx(
        "grid gap-3",
        isVerifiable ? "grid-cols-[minmax(0,24rem)_9.5rem]" : "grid-cols-[minmax(0,24rem)]",
      )}
    >
      <Field
        label={t.search}
        name="person"
        type="search"
        autoComplete="off"
        maxLength={100}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      {isVerifiable && (
        <Select
          label={t.status}
          name="verified"
          value={verified}
          onChange={(event) => choose({ verified: event.target.value as Verified })}
        >
          <Options labels={t.statuses} />
        </Select>
      )}
    </div>
  );
}
