import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import { useIsPhoneRemoved } from "@/api/removals";
import { useIsModerator } from "@/api/role";
import { useAllPages } from "@/api/useAllPages";
import { rowsOf, useList } from "@/api/useList";
import { serverNow } from "@/lib/serverTime";
import * as t from "@/texts/dashboard";
import { shortMinute } from "@/texts/dates";
import { cents, dollars } from "@/texts/money";
import { Button, buttonClass, Desk, Skeleton, Thumbnail, TodoList, TodoText, titleLinkClass } from "@/ui";
import {
  ALL_REPORTS,
  ALL_SELLERS,
  allOrders,
  DISPUTES,
  LATE,
  PAYOUTS,
  PROBLEMS,
  reports,
  sellers,
} from "./endpoints";
import { type Task, tasksOf } from "./tasks";
import { useBadge } from "./useBadge";
import { useDecision } from "./useDecision";
import { useRemovePhone } from "./useRemovePhone";

/** The admin's dashboard: one queue of all that there is to do, oldest first, with what to press in each row. A moderator's has no orders. */
export function AdminDesk() {
  const { data: config, isError: isConfigUnknown } = useConfigQuery();
  const isModerator = useIsModerator();
  const problems = useAllPages(useList(allOrders, isModerator ? null : PROBLEMS));
  const disputes = useAllPages(useList(allOrders, isModerator ? null : DISPUTES));
  const due = useAllPages(useList(allOrders, isModerator ? null : PAYOUTS));
  const late = useAllPages(useList(allOrders, isModerator ? null : LATE));
  const everySeller = useAllPages(useList(sellers, ALL_SELLERS));
  const everyReport = useAllPages(useList(reports, ALL_REPORTS));
  const views = [...(isModerator ? [] : [problems, disputes, due, late]), everySeller, everyReport];
  const actions = useActions(everySeller.list?.entities);
  const isLoaded = (config || isConfigUnknown) && views.every(({ list }) => list);
  const tasks = tasksOf({
    problems: rowsOf(problems.list),
    disputes: rowsOf(disputes.list),
    due: config?.payouts === "manual" ? rowsOf(due.list) : [],
    late: rowsOf(late.list),
    sellers: rowsOf(everySeller.list),
    reports: rowsOf(everyReport.list),
  });
  return (
    <Desk title={t.admin} views={views}>
      {isLoaded ? (
        <TodoList
          title={t.toDo}
          todo={tasks}
          all={Object.fromEntries(tasks.map((task) => [task._id, task]))}
          emptyMessage={t.nothingToDo}
          goneMessage={t.taskDone}
          maxRows={12}
        >
          {(task) => <Row task={task} actions={actions} />}
        </TodoList>
      ) : (
        <Skeleton className="h-120" />
      )}
      {actions.badge.dialog}
      {actions.decision.dialog}
      {actions.removePhone.dialog}
    </Desk>
  );
}

function useActions(people: Parameters<typeof useBadge>[0]) {
  return { badge: useBadge(people), decision: useDecision(), removePhone: useRemovePhone() };
}

interface RowProps {
  task: Task;
  actions: ReturnType<typeof useActions>;
}

function Row({ task, actions }: RowProps) {
  const age = t.since(task.since, serverNow());
  switch (task.kind) {
    case "problem":
    case "late":
    case "dispute":
      return <OrderRow task={task} age={age} />;
    case "payout":
      return (
        <>
          <TodoText
            title={
              <Link className={titleLinkClass} to={`/dashboard/orders?tab=payout&q=${emailOf(task)}`}>
                {t.payOut(cents(sumOf(task)), nameOf(task))}
              </Link>
            }
          >
            {`${age} · ${t.orders(task.orders.length)}`}
          </TodoText>
          <Button
            size="sm"
            title={t.payOutTo(nameOf(task))}
            onClick={() => actions.decision.choose("payout", ...task.orders)}
          >
            {t.markPaidOut}
          </Button>
        </>
      );
    case "verify":
      return (
        <>
          <TodoText
            title={
              <Link className={titleLinkClass} to={`/dashboard/person/${task.seller._id}`}>
                {t.verify(task.seller.name)}
              </Link>
            }
          >
            {`${age} · ${task.seller.email}`}
          </TodoText>
          {actions.badge.verify(task.seller)}
        </>
      );
    case "report":
      return <ReportRow task={task} age={age} removePhone={actions.removePhone} />;
  }
}

type Payout = Extract<Task, { kind: "payout" }>;
const sumOf = ({ orders }: Payout) => orders.reduce((sum, { payout }) => sum + (payout?.cents ?? 0), 0);
const nameOf = ({ orders }: Payout) => orders[0]?.seller?.name ?? t.theSeller;
const emailOf = ({ orders }: Payout) => encodeURIComponent(orders[0]?.seller?.email ?? "");

function OrderRow({ task, age }: { task: Extract<Task, { order: unknown }>; age: string }) {
  const { order, kind } = task;
  const path = `/dashboard/order/${order._id}`;
  return (
    <>
      <Thumbnail product={order} />
      <TodoText
        title={
          <Link className={titleLinkClass} to={path}>
            {t.taskTitles[kind](order.productName)}
          </Link>
        }
      >
        {[
          age,
          ...(kind === "dispute" ? [t.answerBefore(shortMinute(order.dispute?.answerBy ?? ""))] : []),
          ...(order.fulfilment?.late ? [t.notAnswered] : []),
          dollars(order.total),
          t.fromTo(order.userName || t.theBuyer, order.seller?.name || t.theSeller),
        ].join(" · ")}
      </TodoText>
      <Link
        to={path}
        title={t.seeOrderOf(order.productName)}
        className={buttonClass({ size: "sm", variant: kind === "late" ? "secondary" : "primary" })}
      >
        {kind === "problem" ? t.decide : t.seeOrder}
      </Link>
    </>
  );
}

interface ReportProps {
  task: Extract<Task, { kind: "report" }>;
  age: string;
  removePhone: ReturnType<typeof useRemovePhone>;
}

function ReportRow({ task: { reports: ofPhone }, age, removePhone }: ReportProps) {
  const [newest] = ofPhone;
  const isGone = useIsPhoneRemoved(newest?.productID ?? "");
  if (!newest) return null;
  const { productID, productName, phoneRemoved } = newest;
  return (
    <>
      <Thumbnail product={newest} />
      <TodoText
        title={
          <Link className={titleLinkClass} to="/dashboard/reportedItems">
            {t.reported(productName, ofPhone.length)}
          </Link>
        }
      >
        {`${age} · ${newest.reason}`}
      </TodoText>
      <span className="flex flex-wrap justify-end gap-2">
        <Link
          to="/dashboard/reportedItems"
          title={t.seeReportsOf(productName)}
          className={buttonClass({ size: "sm", variant: "secondary" })}
        >
          {t.seeReports}
        </Link>
        {!isGone && !phoneRemoved && !removePhone.isGone(productID) && (
          <span className="max-sm:hidden">{removePhone.button({ _id: productID, name: productName })}</span>
        )}
      </span>
    </>
  );
}
