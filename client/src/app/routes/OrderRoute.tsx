import { Decide } from "@/features/admin/Decide";
import Order from "@/features/orders/Order";
import { ProblemHistory } from "@/features/orders/ProblemHistory";

/** An order, with the buttons of an admin. */
export default function OrderRoute() {
  return <Order decide={(order) => <Decide order={order} evidence={<ProblemHistory order={order} />} />} />;
}
