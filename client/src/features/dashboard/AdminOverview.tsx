import { Link } from "react-router-dom";
import type { Report, User } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import { Badge, Figure, Picture, Skeleton, tintOf } from "@/ui";
import { Frame } from "./Frame";
import { unverified } from "./figures";
import { RowWords, Waiting } from "./Waiting";

interface Props {
  buyers: ListView<User>;
  sellers: ListView<User>;
  reports: ListView<Report>;
}

/** What an admin wants to know first: who is here, and who or what waits to be looked at. */
export function AdminOverview({ buyers, sellers, reports }: Props) {
  const all = rowsOf(sellers.list);
  const count = (view: ListView<User> | ListView<Report>) => view.list && `${view.list.total}`;
  return (
    <Frame
      title="The market right now"
      views={[buyers, sellers, reports]}
      figures={
        <>
          <Figure label="Buyers" value={count(buyers)} note={<More to="allBuyers" what="buyers" />} />
          <Figure label="Sellers" value={count(sellers)} note={<More to="allSellers" what="sellers" />} />
          <Figure
            label="Not verified yet"
            value={sellers.list && `${unverified(all)}`}
            note={<More to="allSellers" what="sellers to verify" />}
          />
          <Figure
            label="Open reports"
            value={count(reports)}
            note={<More to="reportedItems" what="reports" />}
          />
        </>
      }
    >
      {sellers.list && reports.list ? (
        <div className="grid items-start gap-4 xl:grid-cols-2">
          <Waiting
            title="Sellers to verify"
            waiting={all.filter(({ status }) => status !== "verified")}
            all={sellers.list.entities}
            nothing="Every seller is verified."
          >
            {(seller) => (
              <>
                <RowWords title={seller.name}>{seller.email}</RowWords>
                {seller.status === "verified" ? (
                  <Badge tone="ok">Verified</Badge>
                ) : (
                  <Badge>Not verified</Badge>
                )}
              </>
            )}
          </Waiting>
          <Waiting
            title="Newest reports"
            waiting={rowsOf(reports.list)}
            all={reports.list.entities}
            nothing="Nothing is reported."
          >
            {(report) => (
              <>
                <Picture
                  src={report.img}
                  alt=""
                  tint={tintOf(report.id)}
                  className="w-14 shrink-0 rounded-sm p-1"
                />
                <RowWords title={report.productName}>{report.reason}</RowWords>
              </>
            )}
          </Waiting>
        </div>
      ) : (
        <Skeleton className="h-64" />
      )}
    </Frame>
  );
}

function More({ to, what }: { to: string; what: string }) {
  return (
    <Link to={`/dashboard/${to}`} className="inline-block py-1 text-brand underline underline-offset-4">
      See the {what}
    </Link>
  );
}
