import { Link } from "react-router-dom";
import { toApiError } from "@/api/errors";
import type { Booking, Product } from "@/api/types";
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
  Skeleton,
  StatCard,
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
  /** What a seller who is not verified reads. */
  note?: Elements;
  /** Where the money is: StatCards. */
  money: Elements;
}

const isToHandOver = ({ status, fulfilment }: Booking) =>
  status === "paid" && fulfilment?.state === "waiting";
const byDeadline = (a: Booking, b: Booking) => sendBy(a) - sendBy(b);
const sendBy = ({ fulfilment }: Booking) => Date.parse(fulfilment?.sendBy ?? "");

/** The seller's dashboard: what to hand over, what is held, and what nobody looks at; then where the money is. */
export function SellerDesk({ phones, sales, note, money }: Props) {
  const rows = rowsOf(phones.list);
  const onSale = rows.filter(({ booked, refunded }) => !booked && !refunded);
  const toHandOver = rowsOf(sales.list).filter(isToHandOver).sort(byDeadline);
  const held = rows.filter(({ booked, sold }) => booked && !sold);
  const asked = onSale.reduce((sum, { resalePrice }) => sum + resalePrice, 0);
  const emptyMessage = rows.length === 0 ? t.noPhones : t.nothingToHandOver;
  return (
    <Desk
      title={t.seller}
      views={[phones, sales]}
      action={
        <Link to="/dashboard/addProduct" className={buttonClass({ size: "sm" })}>
          {t.listPhone}
        </Link>
      }
      numbers={
        <>
          <StatCard
            label={t.onSale}
            value={phones.list && String(onSale.length)}
            note={phones.list && t.onSaleNote(dollars(asked))}
          />
          {money}
        </>
      }
    >
      {note}
      {phones.list && sales.list ? (
        <>
          <TodoList
            title={t.toHandOver}
            todo={toHandOver}
            all={sales.list.entities}
            emptyMessage={emptyMessage}
          >
            {(sale) => <Sale sale={sale} />}
          </TodoList>
          <TodoList title={t.heldForBuyer} todo={held} all={phones.list.entities}>
            {(phone) => <HeldPhone phone={phone} />}
          </TodoList>
          <TodoList
            title={t.overlooked}
            todo={rows.filter((phone) => isOverlooked(phone, serverNow())).toReversed()}
            all={phones.list.entities}
            maxRows={3}
          >
            {(phone) => <OverlookedPhone phone={phone} />}
          </TodoList>
        </>
      ) : (
        <Skeleton className="h-32" />
      )}
    </Desk>
  );
}

/** Who has paid, and by when the phone must be sent or handed over. */
function Sale({ sale }: { sale: Booking }) {
  const { fulfilment, delivery, userName } = sale;
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
        {isToHandOver(sale) && fulfilment?.paidAt
          ? t.paidBy(
              userName || t.theBuyer,
              shortDay(fulfilment.paidAt),
              shortMinute(fulfilment.sendBy ?? ""),
            )
          : t.noLongerWaiting}
      </TodoText>
      <Link
        to={path}
        title={t.seeOrderOf(sale.productName)}
        className={buttonClass({ size: "sm", variant: isToHandOver(sale) ? "primary" : "secondary" })}
      >
        {isToHandOver(sale) ? t.handOver[delivery] : t.seeOrder}
      </Link>
    </>
  );
}

function HeldPhone({ phone }: { phone: Product }) {
  return (
    <>
      <Thumbnail product={phone} />
      <TodoText title={phone.name}>
        <span>{dollars(phone.resalePrice)}</span>
        {phone.booked && !phone.sold && phone.heldUntil && (
          <>
            <span>{" · "}</span>
            <Countdown until={phone.heldUntil} />
          </>
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
