import { type FormEvent, type ReactNode, useState } from "react";
import { toApiError } from "@/api/errors";
import type { Order } from "@/api/types";
import * as t from "@/texts/adminOrders";
import { Button, Dialog, Textarea, Trans, useToast } from "@/ui";
import { useRefundOrderMutation, useSettleOrderMutation } from "./endpoints";

/** To whom an admin gives the money of an order. */
type Outcome = "release" | "refund";

/** What the dialog asks about. */
interface Asked {
  order: Order;
  outcome: Outcome;
}

const WORDS = {
  release: { question: t.releaseQuestion, stake: t.releaseStake, done: t.released },
  refund: { question: t.refundQuestion, stake: t.refundStake, done: t.refunding },
};

/** The dialog in which an admin decides about an order, and what opens it. */
export function useDecision(): { choose: (order: Order, outcome: Outcome) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return {
    choose: (order, outcome) => setAsked({ order, outcome }),
    dialog: (
      <Dialog open={asked !== null} title={asked ? WORDS[asked.outcome].question : ""} onClose={close}>
        {asked && <DecisionForm {...asked} onDone={close} />}
      </Dialog>
    ),
  };
}

/** Sends the decision. An order that is settled can only be refunded. */
function useSend({ order: { _id: id, fulfilment }, outcome }: Asked) {
  const [settle, settling] = useSettleOrderMutation();
  const [refund, refunding] = useRefundOrderMutation();
  return {
    send: (reason: string) =>
      fulfilment?.state === "settled" ? refund({ id, reason }) : settle({ id, outcome, reason }),
    busy: settling.isLoading || refunding.isLoading,
  };
}

function DecisionForm({ onDone, ...asked }: Asked & { onDone: () => void }) {
  const { order, outcome } = asked;
  const { send, busy } = useSend(asked);
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState<string>();
  const toast = useToast();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!reason.trim()) return setWrong(t.reasonMissing);
    const { error } = await send(reason.trim());
    if (!error) {
      toast(WORDS[outcome].done);
      return onDone();
    }
    const { message, fields } = toApiError(error);
    setWrong(fields?.reason ?? message);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p>
        <Trans text={WORDS[outcome].stake} values={{ what: <strong>{order.productName}</strong> }} />
      </p>
      <Textarea
        label={t.reason}
        hint={t.reasonHint}
        name="reason"
        maxLength={1000}
        value={reason}
        error={wrong}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onDone}>
          {t.cancel}
        </Button>
        <Button type="submit" variant={outcome === "refund" ? "alarm" : "primary"} busy={busy}>
          {t.actions[outcome]}
        </Button>
      </div>
    </form>
  );
}
