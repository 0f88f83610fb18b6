import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import { type ListView, rowsOf } from "@/api/useList";
import * as t from "@/texts/dashboard";
import { number } from "@/texts/language";
import { dollars } from "@/texts/money";
import { Badge, buttonClass, Countdown, Skeleton, StatCard, Thumbnail } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { OverviewFrame } from "./OverviewFrame";
import { sellerStats } from "./stats";
import { TodoList, TodoText } from "./TodoList";

/** The seller's overview: the number of phones by status, and those that wait for payment. */
export function SellerOverview({ view, note }: { view: ListView<Product>; note?: Elements }) {
  const rows = rowsOf(view.list);
  const stats = view.list && sellerStats(rows);
  return (
    <OverviewFrame
      title={t.seller}
      views={[view]}
      action={
        <Link to="/dashboard/addProduct" className={buttonClass({ size: "sm" })}>
          {t.listPhone}
        </Link>
      }
      stats={
        <>
          <StatCard
            label={t.onSale}
            value={stats && number(stats.onSale)}
            note={stats && t.onSaleNote(dollars(stats.askingTotal))}
          />
          <StatCard label={t.held} value={stats && number(stats.held)} note={t.heldNote} />
          <StatCard label={t.sold} value={stats && number(stats.sold)} note={t.soldNote} />
          <StatCard label={t.sales} value={stats && dollars(stats.sales)} note={t.salesNote} />
        </>
      }
    >
      {note}
      {view.list ? (
        <TodoList
          title={t.heldForBuyer}
          todo={rows.filter(({ booked, sold }) => booked && !sold)}
          all={view.list.entities}
          emptyMessage={rows.length === 0 ? t.noPhones : t.nothingHeldForBuyer}
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
