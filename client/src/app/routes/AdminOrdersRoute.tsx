import Orders from "@/features/admin/Orders";
import { ProblemHistory } from "@/features/orders/ProblemHistory";

/** The orders of all people, whose decisions show what both sides have said. */
export default function AdminOrdersRoute() {
  return <Orders evidence={(order) => <ProblemHistory order={order} />} />;
}
