import { Link } from "react-router-dom";
import { useConfigQuery } from "@/api/config";
import type { Booking, Role } from "@/api/types";
import { dollars } from "@/texts/money";
import * as t from "@/texts/order";
import { Button, cx } from "@/ui";

/** What the buyer pays, the receipt, and where to ask for help. */
export function OrderSummary({ order, side }: { order: Booking; side: Role }) {
  const { _id, productID, fulfilment, transactionId } = order;
  return (
    <section
      aria-labelledby="summary-title"
      className="grid gap-4 rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5"
    >
      <h3 id="summary-title" className="sr-only">
        {t.summary}
      </h3>
      <dl className="grid gap-3 wrap-anywhere">
        {order.delivery === "send" && (
          <>
            <Sum label={t.price} amount={order.price} />
            <Sum label={t.postage} amount={order.postage} />
          </>
        )}
        <Sum label={fulfilment ? t.totalPaid : t.total} amount={order.total} isStrong />
        <Id label={t.orderId} value={_id} />
        {transactionId && <Id label={t.transaction} value={transactionId} />}
      </dl>
      <Link
        to={`/phone/${productID}`}
        className="justify-self-start py-1 text-brand underline underline-offset-4"
      >
        {t.seePhone}
      </Link>
      {fulfilment && (
        <Button variant="secondary" className="w-full" onClick={() => window.print()}>
          {t.print}
        </Button>
      )}
      {fulfilment && side !== "admin" && <Help id={_id} />}
    </section>
  );
}

/** An email to us with the order's number in its subject; without an address of ours, the contact page. */
function Help({ id }: { id: string }) {
  const email = useConfigQuery().data?.contact.email;
  const className = "justify-self-start py-1 text-brand underline underline-offset-4";
  if (!email) {
    return (
      <Link to="/contact" className={className}>
        {t.help}
      </Link>
    );
  }
  return (
    <a href={`mailto:${email}?subject=${encodeURIComponent(t.helpSubject(id))}`} className={className}>
      {t.help}
    </a>
  );
}

interface SumProps {
  label: string;
  /** Whole US dollars. */
  amount: number;
  isStrong?: boolean;
}

function Sum({ label, amount, isStrong = false }: SumProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-muted">{label}</dt>
      <dd className={cx("tabular-nums", isStrong && "font-bold text-2xl")}>{dollars(amount)}</dd>
    </div>
  );
}

function Id({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-mono text-sm">{value}</dd>
    </div>
  );
}
