import { Link, useParams } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useIsModerator } from "@/api/role";
import type { PersonSummary } from "@/api/types";
import { telHref } from "@/lib/telHref";
import { longDay, shortMinute } from "@/texts/dates";
import { number } from "@/texts/language";
import * as t from "@/texts/person";
import {
  Badge,
  Breadcrumbs,
  Email,
  EmptyState,
  ErrorState,
  Loading,
  Skeleton,
  StatCard,
  useTitle,
} from "@/ui";
import { actionOf, targetOf } from "./auditWords";
import { usePersonQuery } from "./endpoints";

/** /dashboard/person/{id}: what an admin needs to know of a person before deciding something about them. */
export default function Person() {
  const { id = "" } = useParams();
  const { currentData: person, error, isFetching, refetch } = usePersonQuery(id);
  useTitle(person && t.titleOf(person.contact.name));
  if (person) return <Summary person={person} />;
  if (error) {
    const { status, message } = toApiError(error);
    if (status === 404) return <EmptyState title={t.notFound}>{t.notFoundLead}</EmptyState>;
    return <ErrorState message={message} onRetry={() => void refetch()} busy={isFetching} />;
  }
  return (
    <Loading label={t.loading} onRetry={() => void refetch()}>
      <Skeleton className="h-120" />
    </Loading>
  );
}

function Summary({ person }: { person: PersonSummary }) {
  const { contact, accountType, since, phones, orders, reports, decisions } = person;
  const isSeller = accountType === "Seller";
  const list = isSeller ? "allSellers" : "allBuyers";
  const isModerator = useIsModerator();
  const ofPerson = `/dashboard/orders?q=${encodeURIComponent(contact.email)}`;
  return (
    <section aria-labelledby="person-title" className="grid gap-5">
      <Breadcrumbs current={contact.name}>
        <Link to={`/dashboard/${list}`}>{t.lists[list]}</Link>
      </Breadcrumbs>
      <div className="grid gap-1 wrap-anywhere">
        <h2 id="person-title" className="font-bold text-2xl">
          {contact.name}
        </h2>
        <p className="flex flex-wrap gap-2">
          <Badge>{person.admin ? t.admin : t.types[accountType]}</Badge>
          {person.verified && <Badge tone="ok">{t.verified}</Badge>}
          <Badge tone={person.confirmed ? "ok" : "warn"}>
            {person.confirmed ? t.confirmed : t.unconfirmed}
          </Badge>
          {person.removed && <Badge tone="danger">{t.removed}</Badge>}
        </p>
        <p className="text-muted">{t.since(longDay(since))}</p>
        <a
          href={`mailto:${contact.email}`}
          className="justify-self-start py-1 text-brand underline underline-offset-4"
        >
          <Email address={contact.email} />
        </a>
        {contact.phone && (
          <a
            dir="ltr"
            href={telHref(contact.phone)}
            className="justify-self-start py-1 text-brand underline underline-offset-4"
          >
            {contact.phone}
          </a>
        )}
        {contact.location && <p>{contact.location}</p>}
        <Link
          to={`/dashboard/${list}?q=${encodeURIComponent(contact.email)}`}
          className="justify-self-start py-1 text-brand underline underline-offset-4"
        >
          {t.decide}
        </Link>
      </div>
      <dl className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
        <StatCard label={t.phones} value={number(phones)} note={t.phonesNote} />
        <StatCard
          label={t.bought}
          value={number(orders.bought)}
          link={
            !isModerator && (
              <Link to={ofPerson} className="text-brand text-sm underline underline-offset-4">
                {t.seeOrders}
              </Link>
            )
          }
        />
        <StatCard label={t.sold} value={number(orders.sold)} note={t.cancelled(orders.cancelled)} />
        <StatCard label={t.reportsAbout} value={number(reports.about)} note={t.reportsBy(reports.by)} />
      </dl>
      <section aria-labelledby="decisions" className="grid gap-2">
        <h3 id="decisions" className="font-bold text-lg">
          {t.decisions}
        </h3>
        {decisions.length === 0 && <p className="text-muted">{t.noDecisions}</p>}
        <ul className="divide-y divide-line">
          {decisions.map((entry) => (
            <li key={entry._id} className="flex flex-wrap justify-between gap-x-4 py-2">
              <span className="wrap-anywhere">
                <strong>{actionOf(entry)}</strong> <bdi>{targetOf(entry)}</bdi>
              </span>
              <span className="text-muted text-sm">
                {t.byAt(entry.actor ?? t.operator, shortMinute(entry.at))}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </section>
  );
}
