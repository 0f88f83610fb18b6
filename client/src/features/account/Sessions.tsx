import { toApiError } from "@/api/errors";
import type { DeviceSession } from "@/api/types";
import * as t from "@/texts/account";
import { longDay, longMinute } from "@/texts/dates";
import { Badge, Button, ErrorState, Skeleton, useToast } from "@/ui";
import { useEndOtherSessionsMutation, useEndSessionMutation, useSessionsQuery } from "./endpoints";
import { Section } from "./Section";

/** The browsers in which the user is signed in. */
export function Sessions() {
  const { data, error, isFetching, refetch } = useSessionsQuery(undefined, {
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
  });
  return (
    <Section title={t.sessions}>
      {!data && !error && <Skeleton className="h-20" />}
      {error && !data && (
        <ErrorState message={toApiError(error).message} onRetry={() => void refetch()} busy={isFetching} />
      )}
      {data && <SessionList sessions={data} />}
    </Section>
  );
}

function SessionList({ sessions }: { sessions: DeviceSession[] }) {
  const hasOthers = sessions.some(({ current }) => !current);
  return (
    <>
      <ul tabIndex={-1} className="-my-4 grid divide-y divide-line outline-none">
        {sessions.map((session) => (
          <li key={session._id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
            <SessionDetails session={session} />
            {!session.current && <SignOutButton session={session} />}
          </li>
        ))}
      </ul>
      {hasOthers ? <SignOutOthers /> : <p className="text-muted text-sm">{t.onlyHere}</p>}
    </>
  );
}

function SessionDetails({
  session: { device, current, network, createdAt, seenAt },
}: {
  session: DeviceSession;
}) {
  return (
    <div className="grid min-w-0 gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold wrap-anywhere">
        <span>{device || t.unknownDevice}</span>
        {current && <Badge tone="brand">{t.thisDevice}</Badge>}
      </p>
      <p className="text-muted text-sm wrap-anywhere">
        {network ? t.signedInFrom(longDay(createdAt), network) : t.signedInOn(longDay(createdAt))}
      </p>
      <p className="text-muted text-sm">{t.lastUsed(longMinute(seenAt))}</p>
    </div>
  );
}

function SignOutButton({ session: { _id, device } }: { session: DeviceSession }) {
  const [end, { isLoading, isSuccess }] = useEndSessionMutation();
  const toast = useToast();
  const onPress = async (list: HTMLElement | null) => {
    const { error } = await end(_id);
    const reason = error && toApiError(error);
    // 404: it was signed out already.
    if (reason && reason.status !== 404) return toast(reason.message, "error");
    toast(t.signedOut(device || t.unknownDevice));
    // The button is removed with its row.
    list?.focus();
  };
  return (
    <Button
      size="sm"
      variant="secondary"
      aria-label={t.signOutDevice(device || t.unknownDevice)}
      busy={isLoading || isSuccess}
      onClick={(event) => void onPress(event.currentTarget.closest("ul"))}
    >
      {t.signOut}
    </Button>
  );
}

function SignOutOthers() {
  const [end, { isLoading }] = useEndOtherSessionsMutation();
  const toast = useToast();
  const onPress = async () => {
    const { error } = await end();
    if (error) toast(toApiError(error).message, "error");
    else toast(t.othersSignedOut);
  };
  return (
    <Button variant="danger" busy={isLoading} onClick={() => void onPress()} className="justify-self-start">
      {t.signOutOthers}
    </Button>
  );
}
