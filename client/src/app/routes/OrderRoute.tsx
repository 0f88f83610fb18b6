import { Decide } from "@/features/admin/Decide";
import Order from "@/features/orders/Order";

/** An order, with the buttons of an admin. */
export default function OrderRoute() {
  return <Order decide={(order) => <Decide order={order} />} />;
}
