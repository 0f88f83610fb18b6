import { WaitingFor } from "@/features/booking/WaitingFor";
import { MyOffers } from "@/features/messages/MyOffers";
import MyOrders from "@/features/orders/MyOrders";

/** A buyer's orders, and below them the offers and the phones that the buyer waits for. */
export default function MyOrdersRoute() {
  return (
    <MyOrders
      waiting={
        <>
          <MyOffers />
          <WaitingFor />
        </>
      }
    />
  );
}
