import { Link } from "react-router-dom";
import { toApiError } from "@/api/errors";
import { useMe } from "@/api/me";
import { useRole } from "@/api/role";
import type { PersonData } from "@/api/types";
import * as t from "@/texts/account";
import { longDay } from "@/texts/dates";
import { number } from "@/texts/language";
import { buttonClass, ErrorState, Spinner, Trans } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { ChangeEmail } from "./ChangeEmail";
import { ChangePassword } from "./ChangePassword";
import { DeleteAccount } from "./DeleteAccount";
import { EmailNotConfirmed } from "./EmailNotConfirmed";
import { useMyDataQuery } from "./endpoints";
import { LinkedGoogle } from "./LinkedGoogle";
import { Profile } from "./Profile";
import { RememberedAddress } from "./RememberedAddress";
import { SecondFactor } from "./SecondFactor";
import { Section } from "./Section";
import { Sessions } from "./Sessions";

/** /dashboard/account, with the section of `blocked` people: the user's data, where they are signed in, email, password, and the deletion of the account. */
export default function Account({ blocked }: { blocked?: Elements }) {
  const isConfirmed = useMe()?.emailVerified !== false;
  const { data, error, isFetching, refetch } = useMyDataQuery(undefined, {
    refetchOnMountOrArgChange: true,
    // The email may have been confirmed in another window.
    refetchOnFocus: !isConfirmed,
  });
  const retry = () => void refetch();
  return (
    <section aria-labelledby="account-title" className="grid max-w-3xl gap-6">
      <h2 id="account-title" className="font-bold text-2xl">
        {t.title}
      </h2>
      {!data && !error && <Spinner page />}
      {error && !data && <ErrorState message={toApiError(error).message} onRetry={retry} busy={isFetching} />}
      {data && (
        <>
          {!data.account.emailVerified && <EmailNotConfirmed email={data.account.email} />}
          <Profile account={data.account} onChanged={retry} />
          <DataSummary data={data} />
          {data.account.address && <RememberedAddress address={data.account.address} onChanged={retry} />}
          <Sessions />
          <ChangeEmail email={data.account.email} hasPassword={data.account.hasPassword} />
          <ChangePassword hasPassword={data.account.hasPassword} onChanged={retry} />
          {data.account.googleSubject && (
            <LinkedGoogle hasPassword={data.account.hasPassword} onChanged={retry} />
          )}
          <SecondFactor
            isOn={data.account.secondFactor}
            hasPassword={data.account.hasPassword}
            onChanged={retry}
          />
          {blocked}
          <DeleteAccount hasPassword={data.account.hasPassword} />
        </>
      )}
    </section>
  );
}

/** The number of stored records of each kind. */
function DataSummary({ data }: { data: PersonData }) {
  const { role } = useRole();
  const mayBuy = role !== "admin";
  const counts: [string, readonly unknown[], isShownWithoutAny: boolean][] = [
    [t.phones, data.phones, role === "seller"],
    [t.orders, data.bookings, mayBuy],
    [t.waitlist, data.waitlist, mayBuy],
    [t.payments, data.payments, mayBuy],
    [t.reports, data.reports, true],
    [t.adminActions, data.auditLog, true],
  ];
  // An admin may have been a buyer or a seller.
  const shown = counts.filter(([, all, isShownWithoutAny]) => isShownWithoutAny || all.length > 0);
  return (
    <Section title={t.yourData}>
      <p className="-mt-4 text-muted">
        <Trans
          text={t.since}
          values={{
            email: <bdi className="break-all">{data.account.email}</bdi>,
            day: longDay(data.account.createdAt),
          }}
        />
      </p>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:flex sm:flex-wrap sm:gap-x-10">
        {shown.map(([label, all]) => (
          <div key={label}>
            <dt className="text-muted text-sm">{label}</dt>
            <dd className="font-bold text-xl tabular-nums">{number(all.length)}</dd>
          </div>
        ))}
      </dl>
      <div className="grid justify-items-start gap-2">
        <a href="/identity/data" download="secondring-data.json" className={buttonClass({})}>
          {t.download}
        </a>
        <p className="text-muted text-sm">{t.downloadHint}</p>
        <Link
          to="/dashboard/decisions"
          className="py-1 font-semibold text-brand underline underline-offset-4"
        >
          {t.decisions}
        </Link>
      </div>
    </Section>
  );
}
