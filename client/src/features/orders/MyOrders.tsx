import { useState } from "react";
import { Link } from "react-router-dom";
import { messageOf } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Booking } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import { money } from "@/lib/money";
import { type Column, ConfirmDialog, ListTable, Picture, tintOf, useToast } from "@/ui";
import { bookings, useCancelBookingMutation } from "./endpoints";
import { PaymentCell } from "./PaymentCell";

/** /dashboard/myOrders: what the signed-in buyer has booked. */
export default function MyOrders() {
  const email = useMe()?.email;
  const view = useList(bookings, email ? { email } : null);
  const [leaving, setLeaving] = useState<Booking | null>(null);
  const [cancel, { isLoading: isCancelling }] = useCancelBookingMutation();
  const toast = useToast();

  const confirm = async () => {
    if (!leaving) return;
    const { error } = await cancel(leaving._id);
    setLeaving(null);
    if (error) toast(messageOf(error), "error");
    else toast("Booking Cancelled");
  };

  return (
    <section aria-labelledby="orders-title" className="grid gap-5">
      <h2 id="orders-title" className="font-bold text-2xl">
        My Orders
      </h2>
      <ListTable
        view={view}
        rows={rowsOf(view.list)}
        caption="My orders"
        columns={columns(setLeaving)}
        empty="You have not booked a phone yet"
        emptyHint={
          <>
            <Link to="/categories" className="text-brand underline">
              Look through the brands
            </Link>{" "}
            and press Book Now on the one you like.
          </>
        }
      />
      <ConfirmDialog
        open={leaving !== null}
        title="Are you sure you want to cancel this booking?"
        confirmLabel="Cancel booking"
        busy={isCancelling}
        onConfirm={() => void confirm()}
        onCancel={() => setLeaving(null)}
      >
        <p>{leaving?.productName} becomes free for others at once. You can't hold it again for an hour.</p>
      </ConfirmDialog>
    </section>
  );
}

function columns(onCancel: (booking: Booking) => void): Column<Booking>[] {
  return [
    {
      header: "image",
      stands: "picture",
      cell: (b) => <Picture src={b.img} alt="" tint={tintOf(b.id)} className="w-16 rounded-sm p-1" />,
    },
    {
      header: "Product-Name",
      stands: "title",
      cell: (b) => <span className="font-bold">{b.productName}</span>,
    },
    { header: "Brand", cell: (b) => b.brand },
    { header: "Price", cell: (b) => <span className="font-semibold tabular-nums">{money(b.price)}</span> },
    { header: "Payment", cell: (b) => <PaymentCell booking={b} onCancel={onCancel} /> },
  ];
}
