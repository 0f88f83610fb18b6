import { useConfigQuery } from "@/api/config";
import { useRole } from "@/api/role";
import { useList } from "@/api/useList";
import { ALL_REPORTS, allOrders, PAYOUTS, PROBLEMS, reports } from "@/features/admin/endpoints";

/** How much waits on a screen, by its path; live. Only an admin's screens have a count. */
export function useMenuCounts(): Readonly<Record<string, number>> {
  const isAdmin = useRole().role === "admin";
  const isManual = useConfigQuery().data?.payouts === "manual";
  const problems = useList(allOrders, isAdmin ? PROBLEMS : null).list?.total ?? 0;
  const due = useList(allOrders, isAdmin && isManual ? PAYOUTS : null).list?.total ?? 0;
  const reported = useList(reports, isAdmin ? ALL_REPORTS : null).list?.total ?? 0;
  return { "/dashboard/orders": problems + due, "/dashboard/reportedItems": reported };
}
