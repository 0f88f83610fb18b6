import { WaitingFor } from "@/features/booking/WaitingFor";
import MyOrders from "@/features/orders/MyOrders";

/** A buyer's orders, and below them the phones that the buyer waits for. */
export default function MyOrdersRoute() {
  return <MyOrders waiting={<WaitingFor />} />;
}
