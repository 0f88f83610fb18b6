import { useState } from "react";
import { Link } from "react-router-dom";
import { ownBookings } from "@/api/bookings";
import { errorMessage } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Booking } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import { dollars } from "@/texts/money";
import * as t from "@/texts/orders";
import { inclPostage } from "@/texts/postage";
import {
  type Column,
  ConfirmDialog,
  ListTable,
  rowLinkClass,
  Thumbnail,
  Trans,
  useKeptFocus,
  useRowSnapshot,
  useToast,
} from "@/ui";
import type { Elements } from "@/ui/Elements";
import { useCancelBookingMutation } from "./endpoints";
import { PaymentCell } from "./PaymentCell";
import { SellerContact } from "./SellerContact";
import { isPast } from "./stage";

interface Props {
  /** The phones that the buyer waits for. */
  waiting?: Elements;
}

/** /dashboard/myOrders: the signed-in buyer's orders. */
export default function MyOrders({ waiting }: Props) {
  const email = useMe()?.email;
  const view = useList(ownBookings, email ? { email } : null);
  const [toCancel, setToCancel] = useState<Booking | null>(null);
  const [cancel, { isLoading: isCancelling }] = useCancelBookingMutation();
  const toast = useToast();
  // An order that ends while it is shown keeps its place.
  const isBelow = useRowSnapshot("", isPast);
  const orders = rowsOf(view.list);
  const keptFocus = useKeptFocus<HTMLElement>();

  const confirm = async () => {
    if (!toCancel) return;
    const { error } = await cancel(toCancel._id);
    setToCancel(null);
    if (error) toast(errorMessage(error), "error");
    else toast(t.bookingCancelled);
  };

  return (
    <div className="grid gap-10">
      <section aria-labelledby="orders-title" {...keptFocus} className="grid gap-5">
        <h2 id="orders-title" tabIndex={-1} className="font-bold text-2xl">
          {t.title}
        </h2>
        <ListTable
          view={view}
          rows={orders.filter((order) => !isBelow(order))}
          below={{ title: t.past, rows: orders.filter(isBelow) }}
          caption={t.caption}
          columns={columns(setToCancel)}
          empty={t.empty}
          emptyHint={
            <Trans
              text={t.emptyHint}
              values={{
                link: (text) => (
                  <Link to="/categories" className="text-brand underline">
                    {text}
                  </Link>
                ),
              }}
            />
          }
        />
      </section>
      {waiting}
      <ConfirmDialog
        open={toCancel !== null}
        title={t.cancelQuestion}
        confirmLabel={t.cancelBooking}
        cancelLabel={t.cancelKeep}
        busy={isCancelling}
        onConfirm={() => void confirm()}
        onCancel={() => setToCancel(null)}
      >
        <p>{toCancel && t.cancelConsequence(toCancel.productName)}</p>
      </ConfirmDialog>
    </div>
  );
}

function columns(onCancel: (booking: Booking) => void): Column<Booking>[] {
  return [
    {
      header: t.image,
      cardSlot: "picture",
      width: "w-24",
      cell: (b) => <Thumbnail product={b} width="w-16" />,
    },
    {
      header: t.productName,
      cardSlot: "title",
      cell: (b) => (
        <>
          <Link to={`/phone/${b.productID}`} className={rowLinkClass}>
            {b.productName}
          </Link>
          {b.paid && b.seller && <SellerContact seller={b.seller} />}
        </>
      ),
    },
    { header: t.brand, width: "w-36", cell: (b) => b.brand },
    {
      header: t.price,
      width: "w-28",
      cell: ({ total, postage }) => (
        <>
          <span className="font-semibold tabular-nums">{dollars(total)}</span>
          {postage > 0 && <span className="block text-muted text-sm">{inclPostage(postage)}</span>}
        </>
      ),
    },
    { header: t.payment, width: "w-64", cell: (b) => <PaymentCell booking={b} onCancel={onCancel} /> },
  ];
}
