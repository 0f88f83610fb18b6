import { Link } from "react-router-dom";
import type { Report, User } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import type { LiveList } from "@/lib/live";
import * as t from "@/texts/dashboard";
import { number } from "@/texts/language";
import { Badge, Skeleton, StatCard, Thumbnail } from "@/ui";
import { OverviewFrame } from "./OverviewFrame";
import { countUnverified } from "./stats";
import { TodoList, TodoText } from "./TodoList";

interface Props {
  buyers: ListView<User>;
  sellers: ListView<User>;
  reports: ListView<Report>;
}

/** The admin's overview: the numbers of users and reports, the sellers to verify and the newest reports. */
export function AdminOverview({ buyers, sellers, reports }: Props) {
  const count = (view: ListView<User> | ListView<Report>) => view.list && number(view.list.total);
  return (
    <OverviewFrame
      title={t.admin}
      views={[buyers, sellers, reports]}
      stats={
        <>
          <StatCard
            label={t.buyers}
            value={count(buyers)}
            note={<StatLink to="allBuyers" label={t.seeBuyers} />}
          />
          <StatCard
            label={t.sellers}
            value={count(sellers)}
            note={<StatLink to="allSellers" label={t.seeSellers} />}
          />
          <StatCard
            label={t.notVerifiedYet}
            value={sellers.list && number(countUnverified(rowsOf(sellers.list)))}
            note={<StatLink to="allSellers?verified=no" label={t.seeUnverified} />}
          />
          <StatCard
            label={t.openReports}
            value={count(reports)}
            note={<StatLink to="reportedItems" label={t.seeReports} />}
          />
        </>
      }
    >
      {sellers.list && reports.list ? (
        <div className="grid items-start gap-4 xl:grid-cols-2">
          <SellersToVerify sellers={sellers.list} />
          <NewestReports reports={reports.list} />
        </div>
      ) : (
        <Skeleton className="h-64" />
      )}
    </OverviewFrame>
  );
}

function SellersToVerify({ sellers }: { sellers: LiveList<User> }) {
  return (
    <TodoList
      title={t.toVerify}
      todo={rowsOf(sellers)
        .filter(({ status }) => status !== "verified")
        .toReversed()}
      all={sellers.entities}
      emptyMessage={t.allVerified}
    >
      {(seller) => (
        <>
          <TodoText title={seller.name} to={`/dashboard/allSellers?q=${encodeURIComponent(seller.email)}`}>
            {seller.email}
          </TodoText>
          {seller.status === "verified" ? (
            <Badge tone="ok">{t.verified}</Badge>
          ) : (
            <Badge>{t.notVerified}</Badge>
          )}
        </>
      )}
    </TodoList>
  );
}

function NewestReports({ reports }: { reports: LiveList<Report> }) {
  return (
    <TodoList
      title={t.newestReports}
      todo={rowsOf(reports)}
      all={reports.entities}
      emptyMessage={t.nothingReported}
    >
      {(report) => (
        <>
          <Thumbnail product={report} />
          <TodoText title={report.productName} to="/dashboard/reportedItems">
            {report.reason}
          </TodoText>
        </>
      )}
    </TodoList>
  );
}

function StatLink({ to, label }: { to: string; label: string }) {
  return (
    <Link to={`/dashboard/${to}`} className="inline-block py-1 text-brand underline underline-offset-4">
      {label}
    </Link>
  );
}
