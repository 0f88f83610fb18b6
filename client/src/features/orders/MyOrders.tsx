import { useState } from "react";
import { Link } from "react-router-dom";
import { messageOf } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Booking } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import {
  type Column,
  ConfirmDialog,
  EmptyState,
  ErrorState,
  LoadMore,
  Picture,
  Spinner,
  Table,
  useToast,
} from "@/ui";
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

  const rows = rowsOf(view.list);
  return (
    <section aria-labelledby="orders-title">
      <h2 id="orders-title" className="mb-5 font-bold text-2xl">
        My Orders
      </h2>
      {view.isLoading && <Spinner />}
      {view.error && <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />}
      {view.list && rows.length === 0 && (
        <EmptyState title="You have not booked a phone yet">
          <Link to="/categories" className="text-brand underline">
            Look through the brands
          </Link>{" "}
          and press Book Now on the one you like.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table caption="My orders" columns={columns(setLeaving)} rows={rows} rowKey={(row) => row._id} />
      )}
      {view.hasMore && (
        <LoadMore
          shown={rows.length}
          total={view.list?.total}
          hasMore
          busy={view.isLoadingMore}
          onMore={view.loadMore}
        />
      )}
      {view.moreError && <ErrorState message={view.moreError} onRetry={view.loadMore} />}
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
    { header: "image", cell: (b) => <Picture src={b.img} alt="" className="w-16 rounded-md" /> },
    { header: "Product-Name", cell: (b) => <span className="font-medium">{b.productName}</span> },
    { header: "Brand", cell: (b) => b.brand },
    { header: "Price", cell: (b) => `$${b.price}` },
    { header: "Payment", cell: (b) => <PaymentCell booking={b} onCancel={onCancel} /> },
  ];
}
