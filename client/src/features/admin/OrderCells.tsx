import { Link } from "react-router-dom";
import type { Order } from "@/api/types";
import * as t from "@/texts/adminOrders";
import { Badge, Button, Email } from "@/ui";
import type { useDecision } from "./useDecision";

/** The name and email of one side. */
export function PersonCell({ name, email }: { name: string; email: string }) {
  if (!email) return <span className="text-muted">{t.nobody}</span>;
  return (
    <div className="wrap-anywhere">
      <bdi>{name}</bdi>
      <div className="text-muted text-sm">
        <Email address={email} />
      </div>
    </div>
  );
}

/** The seller, who is known since the payment. */
export function SellerCell({ order: { seller, fulfilment } }: { order: Order }) {
  if (seller) return <PersonCell {...seller} />;
  return <span className="text-muted">{fulfilment ? t.nobody : t.notPaid}</span>;
}

/** The way to the order's page. */
export function OrderCell({ order }: { order: Order }) {
  return (
    <Link
      to={`/dashboard/order/${order._id}`}
      className="inline-block py-1 font-bold underline-offset-4 hover:text-brand hover:underline"
    >
      {order.productName}
    </Link>
  );
}

const TONES = { paid: "ok", held: "brand" } as const;

export function StatusCell({ order: { status } }: { order: Order }) {
  return <Badge tone={TONES[status as keyof typeof TONES]}>{t.statuses[status]}</Badge>;
}

/** How far the order has come: a problem stands out, with the buyer's words. */
export function StateCell({ order: { fulfilment } }: { order: Order }) {
  if (!fulfilment) return <span className="text-muted">–</span>;
  const { state, problem, outcome } = fulfilment;
  return (
    <div className="grid justify-items-start gap-1">
      <Badge tone={state === "problem" ? "danger" : "neutral"}>{t.states[state]}</Badge>
      {state === "problem" && <p className="line-clamp-3 text-sm wrap-anywhere">{problem}</p>}
      {outcome && <p className="text-muted text-sm">{t.outcomes[outcome]}</p>}
    </div>
  );
}

interface DecideProps {
  order: Order;
  onChoose: ReturnType<typeof useDecision>["choose"];
}

/** What an admin can do about a paid order. */
export function DecideCell({ order, onChoose }: DecideProps) {
  const { status, fulfilment, productName } = order;
  const isOpen = status === "paid" && fulfilment?.outcome !== "refund";
  const actions = fulfilment?.state === "settled" ? (["refund"] as const) : (["release", "refund"] as const);
  return (
    // The place of the buttons stays, so that nothing moves when they go.
    <div className="flex min-h-9 flex-wrap gap-2">
      {isOpen &&
        actions.map((action) => (
          <Button
            key={action}
            size="sm"
            variant={action === "refund" ? "danger" : "secondary"}
            title={t.of(t.actions[action], productName)}
            onClick={() => onChoose(order, action)}
          >
            {t.actions[action]}
          </Button>
        ))}
    </div>
  );
}
