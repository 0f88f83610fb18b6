import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { toApiError } from "@/api/errors";
import type { Booking, Offer, Product } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import { serverNow } from "@/lib/serverTime";
import * as t from "@/texts/dashboard";
import { shortDay, shortMinute } from "@/texts/dates";
import { dollars } from "@/texts/money";
import {
  Badge,
  Button,
  buttonClass,
  Countdown,
  Desk,
  DeskNumber,
  Skeleton,
  Thumbnail,
  TodoList,
  TodoText,
  titleLinkClass,
  useToast,
} from "@/ui";
import type { Elements } from "@/ui/Elements";
import { useChangeProductMutation } from "./endpoints";
import { isOverlooked, loweredPrice } from "./overlooked";

interface Props {
  phones: ListView<Product>;
  sales: ListView<Booking>;
  /** Those that wait for the seller's answer, and how one is shown. */
  offers: { view: ListView<Offer>; todo: readonly Offer[]; row: (offer: Offer) => ReactNode };
  /** What a seller who is not verified reads. */
  note?: Elements;
  /** Where the money is: DeskNumbers. */
  money: Elements;
}

type Turn = "handOver" | "answer" | "check";

/** What the seller has to do about a sale now, if anything. */
function turnOf({ status, fulfilment }: Booking): Turn | undefined {
  if (status !== "paid" || !fulfilment) return undefined;
  if (fulfilment.state === "waiting") return "handOver";
  if (fulfilment.state === "sentBack") return "check";
  return fulfilment.state === "problem" && !fulfilment.answer ? "answer" : undefined;
}
const byDeadline = (a: Booking, b: Booking) => Date.parse(deadlineOf(a)) - Date.parse(deadlineOf(b));
/** Until when the seller has time; an answer that is late is still wanted before the decision. */
const deadlineOf = ({ fulfilment: f }: Booking) =>
  f?.sendBy ?? f?.refundsAt ?? f?.answerBy ?? f?.decideBy ?? "";

/** At most this many phones that nobody watches are shown. */
const MAX_OVERLOOKED = 3;

/** The seller's dashboard: where the money is; the sales that wait for the seller first, then the offers to answer, what is held, and what nobody watches. */
export function SellerDesk({ phones, sales, offers, note, money }: Props) {
  const rows = rowsOf(phones.list);
  const onSale = rows.filter(({ booked, refunded }) => !booked && !refunded);
  const tasks = [
    ...rowsOf(sales.list).filter(turnOf).sort(byDeadline).map(saleTask),
    ...offers.todo.map(offerTask),
    ...rows.filter(({ booked, sold }) => booked && !sold).map(heldTask),
    ...rows
      .filter((phone) => isOverlooked(phone, serverNow()))
      .toReversed()
      .slice(0, MAX_OVERLOOKED)
      .map(overlookedTask),
  ];
  const asked = onSale.reduce((sum, { resalePrice }) => sum + resalePrice, 0);
  return (
    <Desk
      title={t.seller}
      views={[phones, sales, offers.view]}
      action={
        <Link to="/dashboard/addProduct" className={buttonClass({ size: "sm" })}>
          {t.listPhone}
        </Link>
      }
      numbers={
        <>
          <DeskNumber label={t.onSale} value={phones.list && t.phonesFor(onSale.length, dollars(asked))} />
          {money}
        </>
      }
    >
      {note}
      {phones.list && sales.list && offers.view.list ? (
        <TodoList
          title={t.next}
          todo={tasks}
          all={tasksById(phones.list.entities, sales.list.entities, offers.view.list.entities)}
          emptyMessage={rows.length === 0 ? t.noPhones : t.nothingToHandOver}
          maxRows={8}
        >
          {(task) => ("offer" in task ? offers.row(task.offer) : <Row task={task} />)}
        </TodoList>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Desk>
  );
}

/** A sale that waits for the seller, or a phone that is held or overlooked. */
type OwnTask = { _id: string } & ({ sale: Booking } | { phone: Product; isOverlooked: boolean });
/** A row. */
type Task = OwnTask | { _id: string; offer: Offer };

const saleTask = (sale: Booking): Task => ({ _id: `sale ${sale._id}`, sale });
const offerTask = (offer: Offer): Task => ({ _id: `offer ${offer._id}`, offer });
const heldTask = (phone: Product): Task => ({ _id: `held ${phone._id}`, phone, isOverlooked: false });
const overlookedTask = (phone: Product): Task => ({ _id: `seen ${phone._id}`, phone, isOverlooked: true });

/** A row for everything, because one that is done stays while the screen is open. */
function tasksById(
  phones: Record<string, Product>,
  sales: Record<string, Booking>,
  offers: Record<string, Offer>,
): Record<string, Task> {
  const all = [
    ...Object.values(sales).map(saleTask),
    ...Object.values(offers).map(offerTask),
    ...Object.values(phones).flatMap((phone) => [heldTask(phone), overlookedTask(phone)]),
  ];
  return Object.fromEntries(all.map((task) => [task._id, task]));
}

function Row({ task }: { task: OwnTask }) {
  if ("sale" in task) return <Sale sale={task.sale} />;
  return task.isOverlooked ? <OverlookedPhone phone={task.phone} /> : <HeldPhone phone={task.phone} />;
}

/** What the seller has to do about a sale, and by when. */
function Sale({ sale }: { sale: Booking }) {
  const turn = turnOf(sale);
  const path = `/dashboard/order/${sale._id}`;
  return (
    <>
      <Thumbnail product={sale} />
      <TodoText
        title={
          <Link className={titleLinkClass} to={path}>
            {sale.productName}
          </Link>
        }
      >
        {turnText(sale)}
      </TodoText>
      <Link
        to={path}
        title={t.seeOrderOf(sale.productName)}
        className={buttonClass({ size: "sm", variant: turn ? "primary" : "secondary" })}
      >
        {turn ? turnLabel(turn, sale) : t.seeOrder}
      </Link>
    </>
  );
}

function turnLabel(turn: Turn, { delivery }: Booking): string {
  if (turn === "handOver") return t.handOver[delivery];
  return turn === "check" ? t.check : t.answerProblem;
}

function turnText(sale: Booking): string {
  const { fulfilment, userName } = sale;
  const { paidAt = "", answerBy, late } = fulfilment ?? {};
  switch (turnOf(sale)) {
    case "handOver":
      if (!paidAt) return t.noLongerWaiting;
      return t.paidBy(userName || t.theBuyer, shortDay(paidAt), shortMinute(deadlineOf(sale)));
    case "answer":
      return t.problemReported(answerBy && !late ? shortMinute(answerBy) : "");
    case "check":
      return t.checkReturned(shortMinute(deadlineOf(sale)));
    default:
      return t.noLongerWaiting;
  }
}

function HeldPhone({ phone }: { phone: Product }) {
  return (
    <>
      <Thumbnail product={phone} />
      <TodoText title={phone.name}>
        {phone.booked && !phone.sold && phone.heldUntil ? (
          <>
            <span>{t.heldForBuyer(dollars(phone.resalePrice))}</span>
            <Countdown until={phone.heldUntil} />
          </>
        ) : (
          dollars(phone.resalePrice)
        )}
      </TodoText>
      {phone.sold && <Badge tone="ok">{t.paid}</Badge>}
      {!phone.booked && <Badge>{t.availableAgain}</Badge>}
    </>
  );
}

/** A phone that nobody watches or waits for: one press lowers its price. */
function OverlookedPhone({ phone }: { phone: Product }) {
  const [change, { isLoading, isSuccess }] = useChangeProductMutation();
  const toast = useToast();
  const price = loweredPrice(phone.resalePrice);
  const lower = async () => {
    const { error } = await change({ id: phone._id, resalePrice: price });
    if (error) toast(toApiError(error).message, "error");
    else toast(t.loweredTo(dollars(price)));
  };
  return (
    <>
      <Thumbnail product={phone} />
      <TodoText
        title={
          <Link className={titleLinkClass} to={`/phone/${phone._id}`}>
            {phone.name}
          </Link>
        }
      >
        {phone.listedAt && t.listedFor(dollars(phone.resalePrice), shortDay(phone.listedAt))}
      </TodoText>
      {isSuccess ? (
        <Badge tone="ok">{t.lowered}</Badge>
      ) : (
        !phone.booked &&
        price < phone.resalePrice && (
          <Button size="sm" variant="secondary" busy={isLoading} onClick={() => void lower()}>
            {t.lowerTo(dollars(price))}
          </Button>
        )
      )}
    </>
  );
}
