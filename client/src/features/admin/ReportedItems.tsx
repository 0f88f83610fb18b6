import type { Report } from "@/api/types";
import { useList } from "@/api/useList";
import { Picture, tintOf } from "@/ui";
import { AdminTable } from "./AdminTable";
import { reports, useDeleteReportMutation } from "./endpoints";
import { useDeletion } from "./useDeletion";

/** One argument object for all renders: the list's key in the cache. */
const ALL = {};

/** /dashboard/reportedItems */
export default function ReportedItems() {
  const view = useList(reports, ALL);
  const [remove] = useDeleteReportMutation();
  const deletion = useDeletion<Report>(remove, {
    question: "Are you sure you want to delete this report?",
    done: "Report Deleted Successfully",
    name: (report) => `the report of ${report.productName}`,
    stake: "the phone itself stays listed.",
  });
  return (
    <>
      <AdminTable
        title="Reported Items"
        view={view}
        columns={[
          {
            header: "Product Image",
            stands: "picture",
            cell: (r) => <Picture src={r.img} alt="" tint={tintOf(r.id)} className="w-16 rounded-sm p-1" />,
          },
          {
            header: "Product Name",
            stands: "title",
            cell: (r) => <span className="font-bold">{r.productName}</span>,
          },
          { header: "Reporter Name", cell: (r) => r.userName },
          { header: "Report Reason", cell: (r) => <span className="break-words">{r.reason}</span> },
          { header: "Delete", cell: deletion.button },
        ]}
        empty="Nothing is reported"
        emptyHint="New reports appear here the moment they are made."
      />
      {deletion.dialog}
    </>
  );
}
