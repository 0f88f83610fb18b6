import type { Booking } from "@/api/types";
import { Button } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { type Action, mayReturn, moveOf, useDecision } from "./useDecision";

interface Props {
  order: Booking;
  /** What both sides have said. */
  evidence: Elements;
}

/** The buttons on an order's page with which an admin gives the money to one side. Each opens a dialog. */
export function Decide({ order, evidence }: Props) {
  const { choose, dialog } = useDecision(() => evidence);
  const actions: Action[] = mayReturn(order) ? ["refund", "return", "release"] : ["refund", "release"];
  return (
    <div className="flex flex-wrap gap-3">
      {actions.map((action) => (
        <Button
          key={action}
          variant="secondary"
          className="wrap-anywhere"
          onClick={() => choose(action, order)}
        >
          {moveOf({ action, orders: [order] })}
        </Button>
      ))}
      {dialog}
    </div>
  );
}
