import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import * as t from "@/texts/dashboard";
import { money, number } from "@/texts/language";
import { Badge, buttonClass, Countdown, Skeleton, StatCard, Thumbnail } from "@/ui";
import { OverviewFrame } from "./OverviewFrame";
import { sellerStats } from "./stats";
import { TodoList, TodoText } from "./TodoList";

/** What a seller wants to know first: how the phones stand, and which are about to be paid. */
export function SellerOverview({ view }: { view: ListView<Product> }) {
  const rows = rowsOf(view.list);
  const count = view.list && sellerStats(rows);
  return (
    <OverviewFrame
      title={t.seller}
      views={[view]}
      action={
        <Link to="/dashboard/addProduct" className={buttonClass({ size: "sm" })}>
          {t.listPhone}
        </Link>
      }
      figures={
        <>
          <StatCard
            label={t.onSale}
            value={count && number(count.onSale)}
            note={count && t.onSaleNote(money(count.asked))}
          />
          <StatCard label={t.held} value={count && number(count.held)} note={t.heldNote} />
          <StatCard label={t.sold} value={count && number(count.sold)} note={t.soldNote} />
          <StatCard label={t.taken} value={count && money(count.taken)} note={t.takenNote} />
        </>
      }
    >
      {view.list ? (
        <TodoList
          title={t.heldForBuyer}
          waiting={rows.filter(({ booked, sold }) => booked && !sold)}
          all={view.list.entities}
          nothing={rows.length === 0 ? t.noPhones : t.nothingWaits}
        >
          {(phone) => <HeldPhone phone={phone} />}
        </TodoList>
      ) : (
        <Skeleton className="h-32" />
      )}
    </OverviewFrame>
  );
}

function HeldPhone({ phone }: { phone: Product }) {
  return (
    <>
      <Thumbnail of={phone} />
      <TodoText title={phone.name}>
        {money(phone.resalePrice)}
        {phone.booked && !phone.sold && phone.heldUntil && (
          <>
            {" · "}
            <Countdown until={phone.heldUntil} />
          </>
        )}
      </TodoText>
      {phone.sold && <Badge tone="ok">{t.paid}</Badge>}
      {!phone.booked && <Badge>{t.availableAgain}</Badge>}
    </>
  );
}
