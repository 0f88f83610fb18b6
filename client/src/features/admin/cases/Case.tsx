import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import { useIsPhoneRemoved } from "@/api/removals";
import type { CaseDetail, Case as CaseType } from "@/api/types";
import * as t from "@/texts/cases";
import { Badge, Breadcrumbs, EmptyState, ErrorState, Loading, Skeleton, useTitle } from "@/ui";
import { personPath } from "../auditWords";
import { AppealPart } from "./AppealPart";
import { CaseReports } from "./CaseReports";
import { DecidedPart } from "./DecidedPart";
import { DecideForm } from "./DecideForm";
import { EarlierCases } from "./EarlierCases";
import { useCaseDetailQuery } from "./endpoints";
import { ReportedCopy } from "./ReportedCopy";

/** A case as the screen shows it. */
export type ShownCase = CaseType & Partial<CaseDetail>;

/** /dashboard/cases/{id} */
export default function Case() {
  const { id = "" } = useParams();
  return <CaseOf key={id} id={id} />;
}

function CaseOf({ id }: { id: string }) {
  const { currentData: list, error, isFetching, refetch } = useCaseDetailQuery({ id });
  useLiveList(list);
  const one = useWhole(list?.entities[id]);
  useTitle(one && t.titleOf(one.target.name));
  const retry = () => void refetch();
  if (one) return <CaseView of={one} onOutdated={retry} />;
  const failure = error && toApiError(error);
  if (failure?.status === 404 || (list && !one))
    return <EmptyState title={t.notFound}>{t.notFoundLead}</EmptyState>;
  if (failure) return <ErrorState message={failure.message} onRetry={retry} busy={isFetching} />;
  return (
    <Loading label={t.loading} onRetry={retry}>
      <Skeleton className="h-160" />
    </Loading>
  );
}

/** The case as it is now, with what its events do not have, from the last response. */
function useWhole(one: ShownCase | undefined): ShownCase | undefined {
  const [whole, setWhole] = useState<ShownCase>();
  if (one?.earlier && one !== whole) setWhole(one);
  if (!one || one.earlier || !whole) return one;
  // The reasons in an event may be cut.
  const reports = one.reportCount === whole.reportCount ? whole.reports : one.reports;
  return { ...whole, ...one, reports };
}

interface Props {
  of: ShownCase;
  /** The server says that the case has changed. */
  onOutdated: () => void;
}

function CaseView({ of: one, onOutdated }: Props) {
  const { kind, target, state } = one;
  // Beside the forms: one that the server has refused may be gone with the state in which it was open.
  const [failure, setFailure] = useState<string | null>(null);
  const form = { of: one, onOutdated, onFailure: setFailure };
  return (
    <section aria-labelledby="case-title" className="grid gap-6 [&_h3]:font-bold [&_h3]:text-lg">
      <div className="grid gap-3">
        <Breadcrumbs current={target.name}>
          <Link to="/dashboard/cases">{t.title}</Link>
        </Breadcrumbs>
        <h2 id="case-title" className="font-bold text-2xl wrap-anywhere">
          {target.name}
        </h2>
        <p className="flex flex-wrap gap-2">
          <Badge>{t.kinds[kind]}</Badge>
          <Badge tone={state === "open" || state === "appealed" ? "warn" : "ok"}>{t.states[state]}</Badge>
        </p>
        <Links of={one} />
      </div>
      <ReportedCopy of={one} />
      <CaseReports of={one} />
      {target.personID && <EarlierCases cases={one.earlier ?? []} />}
      {one.decision && <DecidedPart of={one} decision={one.decision} />}
      {one.appeal && <AppealPart {...form} appeal={one.appeal} />}
      {state === "open" && <DecideForm {...form} />}
      {failure && (
        <p role="alert" className="rounded-sm bg-danger-soft px-3 py-2 text-danger">
          {failure}
        </p>
      )}
    </section>
  );
}

const LINK = "justify-self-start py-1 text-brand underline underline-offset-4 wrap-anywhere";

/** To the person concerned, and to the phone if it is on the market. */
function Links({ of: { kind, target, exists } }: { of: ShownCase }) {
  const isRemoved = useIsPhoneRemoved(target._id) || !exists;
  return (
    <div className="grid">
      {target.personID && (
        <Link to={personPath(target.personID)} className={LINK}>
          {t.seePerson(target.person || target.name)}
        </Link>
      )}
      {kind === "product" && !isRemoved && (
        <Link to={`/phone/${target._id}`} className={LINK}>
          {t.seePhone}
        </Link>
      )}
      {isRemoved && <span className="text-muted text-sm">{t.gone[kind]}</span>}
    </div>
  );
}
