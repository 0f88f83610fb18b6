import { Link } from "react-router-dom";
import type { Report } from "@/api/types";
import { useList } from "@/api/useList";
import * as t from "@/texts/admin";
import { Thumbnail } from "@/ui";
import { AdminTable } from "./AdminTable";
import { reports, useDeleteReportMutation } from "./endpoints";
import { useDeletion } from "./useDeletion";
import { useRemovePhone } from "./useRemovePhone";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

/** /dashboard/reportedItems */
export default function ReportedItems() {
  const view = useList(reports, ALL);
  const [remove] = useDeleteReportMutation();
  const deletion = useDeletion<Report>(remove, {
    question: t.deleteReport,
    done: t.reportDeleted,
    name: (report) => t.reportOf(report.productName),
    stake: t.reportStake,
  });
  const takeDown = useRemovePhone();
  return (
    <>
      <AdminTable
        title={t.reportedItems}
        view={view}
        columns={[
          {
            header: t.productImage,
            cardSlot: "picture",
            width: "w-32",
            cell: (r) => <Thumbnail of={r} width="w-16" />,
          },
          {
            header: t.productName,
            cardSlot: "title",
            cell: (r) => (
              <div className="grid justify-items-start gap-2">
                <Link to={`/phone/${r.productID}`} className="font-bold underline-offset-4 hover:underline">
                  {r.productName}
                </Link>
                {takeDown.button({ _id: r.productID, name: r.productName })}
              </div>
            ),
          },
          { header: t.reporterName, width: "w-40", cell: (r) => r.userName },
          { header: t.reportReason, cell: (r) => <span className="break-words">{r.reason}</span> },
          { header: t.remove, cardSlot: "action", width: "w-32", cell: deletion.button },
        ]}
        empty={t.noReports}
        emptyHint={t.noReportsHint}
      />
      {deletion.dialog}
      {takeDown.dialog}
    </>
  );
}
