import { useState } from "react";
import { useLocation } from "react-router-dom";
import * as emails from "@/texts/emails";
import * as t from "@/texts/notifications";
import { showNew } from "@/texts/ui";
import { Button, EmptyState, ErrorState, Loading, NextPage, Skeleton, useStableOrder } from "@/ui";
import { EmailChoices } from "./EmailChoices";
import { groupsInOrder } from "./groups";
import { NotificationGroup } from "./NotificationGroup";
import { useMarkRead } from "./useMarkRead";
import { useNotifications } from "./useNotifications";

/**
 * /dashboard/notifications: what has happened, newest first. It is read once the page shows it. What happens while the
 * screen is open is appended, until the reader asks for it at the top.
 */
export default function Notifications() {
  const view = useNotifications();
  const { rows } = view;
  const isNew = useMarkRead(rows);
  const { orderedKeys, newCount, reset, container } = useStableOrder(rows.map(({ _id }) => _id));
  const byId = new Map(rows.map((row) => [row._id, row]));
  const orderedRows = orderedKeys.flatMap((id) => byId.get(id) ?? []);
  // The links in emails have the hash.
  const { hash } = useLocation();
  const [isChoosing, setChoosing] = useState(hash === "#emails");
  return (
    <section aria-labelledby="notifications-title" className="grid max-w-3xl content-start gap-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="notifications-title" className="font-bold text-2xl max-sm:w-full sm:flex-1">
          {t.title}
        </h2>
        <Button
          variant="secondary"
          size="sm"
          className="sm:order-last"
          aria-expanded={isChoosing}
          aria-controls="emails"
          onClick={() => setChoosing(!isChoosing)}
        >
          {emails.choose}
        </Button>
        {/* After the other button on a telephone and before it on a wider screen, where it moves nothing. */}
        {newCount > 0 && (
          <Button size="sm" variant="secondary" onClick={reset}>
            {showNew(newCount)}
          </Button>
        )}
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
        <div ref={container} tabIndex={-1} className="outline-none">
          <ul
            aria-label={t.list}
            className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card"
          >
            {groupsInOrder(orderedRows).map((group) => (
              <NotificationGroup key={group.key} group={group} isNew={isNew} />
            ))}
          </ul>
        </div>
      )}
      <NextPage view={view} shown={rows.length} />
    </section>
  );
}
