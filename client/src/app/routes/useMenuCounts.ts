import { useConfigQuery } from "@/api/config";
import { useIsModerator, useRole } from "@/api/role";
import { rowsOf, useList } from "@/api/useList";
import { APPEALED, cases, OPEN } from "@/features/admin/cases/endpoints";
import { allOrders, PAYOUTS, PROBLEMS } from "@/features/admin/endpoints";
import { ALL, threads } from "@/features/messages/endpoints";

/** How much waits on a screen, by its path; live: what an admin has to do, and unread conversations. */
export function useMenuCounts(): Readonly<Record<string, number>> {
  const { role } = useRole();
  const isAdmin = role === "admin";
  const seesOrders = !useIsModerator() && isAdmin;
  const isManual = useConfigQuery().data?.payouts === "manual";
  const problems = useList(allOrders, seesOrders ? PROBLEMS : null).list?.total ?? 0;
  const due = useList(allOrders, seesOrders && isManual ? PAYOUTS : null).list?.total ?? 0;
  const open = useList(cases, isAdmin ? OPEN : null).list?.total ?? 0;
  const appealed = useList(cases, isAdmin ? APPEALED : null).list?.total ?? 0;
  const mayTalk = role === "buyer" || role === "seller";
  const unread = rowsOf(useList(threads, mayTalk ? ALL : null).list).filter(
    (thread) => thread.unread > 0,
  ).length;
  return {
    "/dashboard/messages": unread,
    "/dashboard/orders": problems + due,
    "/dashboard/cases": open + appealed,
  };
}
