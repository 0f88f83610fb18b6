import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import { useIsModerator } from "@/api/role";
import { useAllPages } from "@/api/useAllPages";
import { rowsOf, useList } from "@/api/useList";
import { serverNow } from "@/lib/serverTime";
import { openCase, openCaseOf } from "@/texts/cases";
import * as t from "@/texts/dashboard";
import { shortMinute } from "@/texts/dates";
import { cents, dollars } from "@/texts/money";
import { Button, buttonClass, Desk, Skeleton, Thumbnail, TodoList, TodoText, titleLinkClass } from "@/ui";
import { APPEALED, casePath, cases, OPEN } from "./cases/endpoints";
import { ALL_SELLERS, allOrders, DISPUTES, LATE, PAYOUTS, PROBLEMS, sellers } from "./endpoints";
import { type Task, tasksOf } from "./tasks";
import { useBadge } from "./useBadge";
import { useDecision } from "./useDecision";

/** The admin's dashboard: one queue of all that there is to do, oldest first, with what to press in each row. A moderator's has no orders. */
export function AdminDesk() {
  const { data: config, isError: isConfigUnknown } = useConfigQuery();
  const isModerator = useIsModerator();
  const problems = useAllPages(useList(allOrders, isModerator ? null : PROBLEMS));
  const disputes = useAllPages(useList(allOrders, isModerator ? null : DISPUTES));
  const due = useAllPages(useList(allOrders, isModerator ? null : PAYOUTS));
  const late = useAllPages(useList(allOrders, isModerator ? null : LATE));
  const everySeller = useAllPages(useList(sellers, ALL_SELLERS));
  const open = useAllPages(useList(cases, OPEN));
  const appealed = useAllPages(useList(cases, APPEALED));
  const views = [...(isModerator ? [] : [problems, disputes, due, late]), everySeller, open, appealed];
  const actions = useActions(everySeller.list?.entities);
  const isLoaded = (config || isConfigUnknown) && views.every(({ list }) => list);
  const tasks = tasksOf({
    problems: rowsOf(problems.list),
    disputes: rowsOf(disputes.list),
    due: config?.payouts === "manual" ? rowsOf(due.list) : [],
    late: rowsOf(late.list),
    sellers: rowsOf(everySeller.list),
    cases: [...rowsOf(open.list), ...rowsOf(appealed.list)],
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
    </Desk>
  );
}

function useActions(people: Parameters<typeof useBadge>[0]) {
  return { badge: useBadge(people), decision: useDecision() };
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
    case "case":
      return <CaseRow task={task} age={age} />;
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

function CaseRow({ task, age }: { task: Extract<Task, { kind: "case" }>; age: string }) {
  const { _id, state, target, reports, reportCount, appeal } = task.case;
  const title = state === "appealed" ? t.appealed(target.name) : t.reported(target.name, reportCount);
  const words = state === "appealed" ? appeal?.text : reports.at(-1)?.reason;
  return (
    <>
      <Thumbnail product={{ img: target.img ?? "" }} />
      <TodoText
        title={
          <Link className={titleLinkClass} to={casePath(_id)}>
            {title}
          </Link>
        }
      >
        {words ? `${age} · ${words}` : age}
      </TodoText>
      <Link
        to={casePath(_id)}
        title={openCaseOf(target.name)}
        className={buttonClass({ size: "sm", variant: "primary" })}
      >
        {openCase}
      </Link>
    </>
  );
}
