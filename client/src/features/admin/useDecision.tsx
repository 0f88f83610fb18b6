import { type FormEvent, useState } from "react";
import { toApiError } from "@/api/errors";
import type { Booking } from "@/api/types";
import { cleanLine, cleanLines } from "@/lib/cleanText";
import * as t from "@/texts/adminOrders";
import { cents, dollars } from "@/texts/money";
import { Button, Dialog, Field, Textarea, Trans, useToast } from "@/ui";
import type { Elements } from "@/ui/Elements";
import {
  usePayOutOrdersMutation,
  useRecordRepaymentMutation,
  useRefundOrderMutation,
  useSettleOrderMutation,
} from "./endpoints";
import { KeptTexts } from "./KeptTexts";

/** The actions of an admin on orders: release the money, refund it, at once or after a return, or mark it as paid out or paid back. */
export type Action = "release" | "refund" | "return" | "payout" | "repayment";

/** What an admin is about to do. */
interface Asked {
  action: Action;
  /** One order; a payout may be of several orders of one seller. */
  orders: readonly Booking[];
}

const REASON = { field: "reason", label: t.reason, hint: t.reasonHint, missing: t.reasonMissing };
const REFERENCE = {
  field: "reference",
  label: t.reference,
  hint: t.referenceHint,
  missing: t.referenceMissing,
};

const WORDS = {
  release: { question: t.releaseQuestion, consequence: t.releaseConsequence, done: t.released, ...REASON },
  refund: { question: t.refundQuestion, consequence: t.refundConsequence, done: t.refunding, ...REASON },
  return: { question: t.returnQuestion, consequence: t.returnConsequence, done: t.returning, ...REASON },
  payout: {
    question: t.payoutQuestion,
    consequence: t.payoutConsequence,
    done: t.markedPaidOut,
    ...REFERENCE,
  },
  repayment: {
    question: t.repaymentQuestion,
    consequence: t.repaymentConsequence,
    done: t.markedRepaid,
    ...REFERENCE,
  },
};

/** Whether an admin may have the phone returned first: once, for a problem that nobody has objected to. */
export const mayReturn = ({ fulfilment: f }: Booking): boolean =>
  f?.state === "problem" && f.return === undefined && f.objection === undefined;

/** The dialog in which an admin decides about orders, with what both sides have said, and the function that opens it. */
export function useDecision(evidence?: (order: Booking) => Elements): {
  choose: (action: Action, ...orders: Booking[]) => void;
  dialog: Elements;
} {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return {
    choose: (action, ...orders) => setAsked({ action, orders }),
    dialog: (
      <Dialog open={asked !== null} title={asked ? WORDS[asked.action].question : ""} onClose={close}>
        {asked && (
          <DecisionForm
            {...asked}
            evidence={asked.orders.length === 1 && evidence?.(asked.orders[0] as Booking)}
            onDone={close}
          />
        )}
      </Dialog>
    ),
  };
}

/** Sends the decision with the admin's text. An order that is settled can only be refunded. */
function useSend({ action, orders }: Asked) {
  const ids = orders.map(({ _id }) => _id);
  const [id = ""] = ids;
  const [settle, settling] = useSettleOrderMutation();
  const [refund, refunding] = useRefundOrderMutation();
  const [payOut, payingOut] = usePayOutOrdersMutation();
  const [repay, repaying] = useRecordRepaymentMutation();
  return {
    send: (text: string) => {
      if (action === "payout") return payOut({ ids, reference: text });
      if (action === "repayment") return repay({ id, reference: text });
      if (orders[0]?.fulfilment?.state === "settled") return refund({ id, reason: text });
      return settle({ id, outcome: action, reason: text });
    },
    busy: settling.isLoading || refunding.isLoading || payingOut.isLoading || repaying.isLoading,
  };
}

interface FormProps extends Asked {
  evidence: Elements;
  onDone: () => void;
}

function DecisionForm({ evidence, onDone, ...asked }: FormProps) {
  const { action } = asked;
  const words = WORDS[action];
  const { send, busy } = useSend(asked);
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string>();
  const toast = useToast();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const cleaned = words.field === "reference" ? cleanLine(text) : cleanLines(text);
    if (!cleaned) return setWrong(words.missing);
    const { error } = await send(cleaned);
    if (!error) {
      toast(words.done);
      return onDone();
    }
    const { message, fields } = toApiError(error);
    setWrong(fields?.[words.field] ?? message);
  };
  const input = {
    label: words.label,
    hint: words.hint,
    name: words.field,
    value: text,
    error: wrong,
    onChange: (event: { target: { value: string } }) => setText(event.target.value),
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Consequence {...asked} />
      {evidence}
      {words.field === "reference" ? (
        <Field {...input} maxLength={120} autoComplete="off" />
      ) : (
        <>
          <Textarea {...input} maxLength={1000} />
          <KeptTexts text={text} onPick={setText} />
        </>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onDone}>
          {t.cancel}
        </Button>
        <Button
          type="submit"
          variant={action === "refund" ? "alarm" : "primary"}
          busy={busy}
          className="wrap-anywhere"
        >
          {moveOf(asked)}
        </Button>
      </div>
    </form>
  );
}

/** What the action moves between a seller and us. */
const owed = (orders: readonly Booking[]) =>
  cents(orders.reduce((sum, { payout }) => sum + (payout?.cents ?? 0), 0));

/** The button of an action, which names the sum and the person. */
export function moveOf({ action, orders }: Asked): string {
  const [order] = orders;
  const isOfSeller = action === "payout" || action === "repayment";
  return t.moves[action]({
    sum: isOfSeller ? owed(orders) : dollars(order?.total ?? 0),
    seller: order?.seller?.name || t.theSeller,
    buyer: order?.userName || t.theBuyer,
  });
}

/** What the action does. */
function Consequence({ action, orders }: Asked) {
  const [order] = orders;
  return (
    <>
      <p>
        <Trans
          text={WORDS[action].consequence}
          values={{
            what: <strong>{t.phonesOf(orders.map(({ productName }) => productName))}</strong>,
            sum: <strong>{owed(orders)}</strong>,
            seller: <bdi>{order?.seller?.name ?? t.theSeller}</bdi>,
          }}
        />
      </p>
      {action === "refund" && order?.payout?.state === "paidOut" && <p>{t.refundAfterPayout}</p>}
    </>
  );
}
