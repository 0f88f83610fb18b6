import { type FormEvent, useState } from "react";
import { toApiError } from "@/api/errors";
import type { Booking } from "@/api/types";
import { cleanLine } from "@/lib/cleanText";
import * as t from "@/texts/adminOrders";
import { cents as written } from "@/texts/money";
import { Button, Dialog, Field, Trans, useToast } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { usePayOutOrdersMutation } from "./endpoints";

/** What is due to one seller. */
interface Due {
  seller: string;
  cents: number;
  orders: Booking[];
}

/** The button that marks all that is due to a seller as paid out, and the dialog that asks for the payment's reference. */
export function usePayout(): { button: (due: Due) => Elements; dialog: Elements } {
  const [due, setDue] = useState<Due | null>(null);
  const close = () => setDue(null);
  return {
    button: (one) => (
      <Button size="sm" title={t.of(t.actions.payout, one.seller)} onClick={() => setDue(one)}>
        {t.actions.payout}
      </Button>
    ),
    dialog: (
      <Dialog open={due !== null} title={t.payoutQuestion} onClose={close}>
        {due && <PayoutForm due={due} onDone={close} />}
      </Dialog>
    ),
  };
}

function PayoutForm({ due: { seller, cents, orders }, onDone }: { due: Due; onDone: () => void }) {
  const [payOut, { isLoading }] = usePayOutOrdersMutation();
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string>();
  const toast = useToast();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const reference = cleanLine(text);
    if (!reference) return setWrong(t.referenceMissing);
    const { error } = await payOut({ ids: orders.map(({ _id }) => _id), reference });
    if (!error) {
      toast(t.markedPaidOut);
      return onDone();
    }
    const { message, fields } = toApiError(error);
    setWrong(fields?.reference ?? message);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p>
        <Trans
          text={t.payoutConsequence}
          values={{
            what: <strong>{t.phonesOf(orders.map(({ productName }) => productName))}</strong>,
            sum: <strong>{written(cents)}</strong>,
            seller: <bdi>{seller}</bdi>,
          }}
        />
      </p>
      <Field
        label={t.reference}
        hint={t.referenceHint}
        name="reference"
        value={text}
        error={wrong}
        maxLength={120}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onDone}>
          {t.cancel}
        </Button>
        <Button type="submit" busy={isLoading} className="wrap-anywhere">
          {t.moves.payout({ sum: written(cents), seller, buyer: "" })}
        </Button>
      </div>
    </form>
  );
}
