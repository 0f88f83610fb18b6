import { useState } from "react";
import { useLocation } from "react-router-dom";
import * as emails from "@/texts/emails";
import * as t from "@/texts/notifications";
import { Button, EmptyState, ErrorState, Loading, NextPage, Skeleton } from "@/ui";
import { EmailChoices } from "./EmailChoices";
import { groupsOf } from "./groups";
import { NotificationGroup } from "./NotificationGroup";
import { useMarkRead } from "./useMarkRead";
import { useNotifications } from "./useNotifications";

/** /dashboard/notifications: what has happened, newest first. It is read once the page shows it. */
export default function Notifications() {
  const view = useNotifications();
  const { rows } = view;
  const isNew = useMarkRead(rows);
  // The links in emails have the hash.
  const { hash } = useLocation();
  const [isChoosing, setChoosing] = useState(hash === "#emails");
  return (
    <section aria-labelledby="notifications-title" className="grid max-w-3xl content-start gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="notifications-title" className="font-bold text-2xl">
          {t.title}
        </h2>
        <Button
          variant="secondary"
          size="sm"
          aria-expanded={isChoosing}
          aria-controls="emails"
          onClick={() => setChoosing(!isChoosing)}
        >
          {emails.choose}
        </Button>
      </div>
      <div id="emails" hidden={!isChoosing}>
        {isChoosing && <EmailChoices />}
      </div>
      {view.isLoading && (
        <Loading label={t.loading} onRetry={view.retry}>
          <div className="grid gap-px">
            {["first", "second", "third"].map((key) => (
              <Skeleton key={key} className="h-18 rounded-lg" />
            ))}
          </div>
        </Loading>
      )}
      {view.error && <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />}
      {view.list && rows.length === 0 && <EmptyState title={t.empty}>{t.emptyHint}</EmptyState>}
      {rows.length > 0 && (
        <ul
          aria-label={t.list}
          className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card"
        >
          {groupsOf(rows).map((group) => (
            <NotificationGroup key={group.key} group={group} isNew={isNew} />
          ))}
        </ul>
      )}
      <NextPage view={view} shown={rows.length} />
    </section>
  );
}
