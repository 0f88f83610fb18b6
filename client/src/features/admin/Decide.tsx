import type { Booking } from "@/api/types";
import { Button } from "@/ui";
import { type Action, moveOf, useDecision } from "./useDecision";

const ACTIONS: Action[] = ["refund", "release"];

/** The buttons on an order's page with which an admin gives the money to one side. Each opens a dialog. */
export function Decide({ order }: { order: Booking }) {
  const { choose, dialog } = useDecision();
  return (
    <div className="flex flex-wrap gap-3">
      {ACTIONS.map((action) => (
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
