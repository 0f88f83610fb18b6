import { useMemo } from "react";
import type { Report, User } from "@/api/types";
import { useAllPages } from "@/api/useAllPages";
import { useList } from "@/api/useList";
import * as t from "@/texts/admin";
import { ErrorState, Thumbnail } from "@/ui";
import { AdminTable } from "./AdminTable";
import { ALL_REPORTS, ALL_SELLERS, reports, sellers, useDeleteReportMutation } from "./endpoints";
import { ActionsCell, PhoneCell, ReasonCell, type ReportActions, ReporterCell } from "./ReportCells";
import { useDeletion } from "./useDeletion";
import { useRemovePhone } from "./useRemovePhone";
import { useRemoveSeller } from "./useRemoveSeller";

/** /dashboard/reportedItems */
export default function ReportedItems() {
  const view = useList(reports, ALL_REPORTS);
  const everySeller = useAllPages(useList(sellers, ALL_SELLERS));
  const people: Record<string, User> | undefined = everySeller.list?.entities;
  const sellerEmails = useMemo(
    () => new Set(Object.values(people ?? {}).map(({ email }) => email)),
    [people],
  );
  const actions = useActions();
  return (
    <>
      {everySeller.error && (
        <ErrorState message={everySeller.error} onRetry={everySeller.retry} busy={everySeller.isFetching} />
      )}
      <AdminTable
        title={t.reportedItems}
        note={t.deleteDismisses}
        view={view}
        columns={[
          {
            header: t.productImage,
            cardSlot: "picture",
            width: "w-32",
            cell: (r) => <Thumbnail product={r} width="w-16" />,
          },
          {
            header: t.productName,
            cardSlot: "title",
            cell: (r) => <PhoneCell report={r} seller={people?.[r.sellerID ?? ""]} />,
          },
          {
            header: t.reporterName,
            width: "w-40",
            cell: (r) => <ReporterCell report={r} isSeller={sellerEmails.has(r.email)} />,
          },
          { header: t.reportReason, cell: (r) => <ReasonCell report={r} /> },
          {
            header: t.deleteLabel,
            cardSlot: "action",
            width: "w-44",
            cell: (r) => <ActionsCell report={r} sellers={people} actions={actions} />,
          },
        ]}
        empty={t.noReports}
        emptyHint={t.noReportsHint}
      />
      {actions.dismiss.dialog}
      {actions.removePhone.dialog}
      {actions.removeSeller.dialog}
    </>
  );
}

function useActions(): ReportActions {
  const [remove] = useDeleteReportMutation();
  const dismiss = useDeletion<Report>(remove, {
    question: t.deleteReport,
    done: t.reportDeleted,
    name: (report) => t.reportOf(report.productName),
    consequence: t.reportConsequence,
    variant: "secondary",
  });
  return { dismiss, removePhone: useRemovePhone(), removeSeller: useRemoveSeller() };
}
