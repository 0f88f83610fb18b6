import { useState } from "react";
import { useConfigQuery } from "@/api/config";
import { useSendConfirmation } from "@/api/emailConfirmation";
import { useMe } from "@/api/me";
import { useIsModerator, useRole } from "@/api/role";
import { serverNow } from "@/lib/serverTime";
import * as confirmation from "@/texts/emailConfirmation";
import * as t from "@/texts/emails";
import { clock } from "@/texts/language";
import { ActionButton, ErrorState, Loading, Skeleton } from "@/ui";
import { DemoEmail } from "@/ui/DemoEmail";
import { EmailChoice } from "./EmailChoice";
import { kindsOf, useEmailSettings } from "./emailSettings";

/** When the daily emails are sent, UTC. */
const DAILY_HOUR = 8;

/** For each kind of notifications, when the user gets emails about them. */
export function EmailChoices() {
  const { settings, error, isFetching, retry } = useEmailSettings();
  const { role } = useRole();
  const isModerator = useIsModerator();
  const [status, setStatus] = useState("");
  return (
    <div className="grid gap-5 rounded-lg border border-line bg-surface p-5 shadow-card sm:p-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-bold text-lg">{t.title}</h3>
        <p role="status" className="min-h-6 text-muted text-sm">
          {status}
        </p>
      </div>
      <p className="text-muted">
        {`${t.intro} ${t.daily(clock(new Date(new Date(serverNow()).setUTCHours(DAILY_HOUR, 0))))}`}
      </p>
      <Obstacle />
      {error && <ErrorState message={error} onRetry={retry} busy={isFetching} />}
      {!error && !(settings && role) && (
        <Loading label={t.loading} onRetry={retry}>
          <Skeleton className="h-80 rounded-lg" />
        </Loading>
      )}
      {settings && role && (
        <ul className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
          {kindsOf(role, isModerator).map((kind) => (
            <li key={kind}>
              <EmailChoice kind={kind} settings={settings} onStatus={setStatus} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Why the user gets no emails now, whatever they choose; where a demo shows them. */
function Obstacle() {
  const { data: config } = useConfigQuery();
  const me = useMe();
  const sending = useSendConfirmation();
  if (!config || !me) return null;
  if (!config.mail) return <p className="rounded-md bg-accent-soft px-4 py-3 text-accent">{t.noEmails}</p>;
  return (
    <>
      {!me.emailVerified && (
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 rounded-md bg-accent-soft px-4 py-3">
          <div className="grid gap-0.5">
            <p className="font-semibold text-accent">{confirmation.notConfirmed}</p>
            <p className="text-sm">{t.confirmFirst}</p>
          </div>
          <ActionButton {...sending} size="sm">
            {confirmation.sendAgain}
          </ActionButton>
        </div>
      )}
      {config.mailbox && <DemoEmail mailbox={config.mailbox} to={me.email} />}
    </>
  );
}
