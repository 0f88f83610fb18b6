import { Link } from "react-router-dom";
import type { Booking, Fulfilment } from "@/api/types";
import { serverNow } from "@/lib/serverTime";
import * as t from "@/texts/adminOrders";
import { cents, dollars } from "@/texts/money";
import { inclPostage } from "@/texts/postage";
import { Badge, Button, Email, rowLinkClass } from "@/ui";
import { type Action, mayReturn, type useDecision } from "./useDecision";

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

export function SellerCell({ order: { seller } }: { order: Booking }) {
  return seller ? <PersonCell {...seller} /> : <span className="text-muted">{t.nobody}</span>;
}

/** The link to the order's page, and how old the order is. */
export function OrderCell({ order }: { order: Booking }) {
  return (
    <div>
      <Link to={`/dashboard/order/${order._id}`} className={rowLinkClass}>
        {order.productName}
      </Link>
      <div className="text-muted text-sm">{t.since(Date.parse(order.bookedAt), serverNow())}</div>
    </div>
  );
}

const TONES = { paid: "ok", held: "brand" } as const;

/** The status, and how far a paid order has come: a problem stands out, with the buyer's words. */
export function StatusCell({ order: { status, fulfilment, dispute } }: { order: Booking }) {
  return (
    <div className="grid justify-items-start gap-1">
      <Badge tone={TONES[status as keyof typeof TONES]}>{t.statuses[status]}</Badge>
      {dispute && (
        <Badge tone={dispute.state === "open" ? "danger" : "neutral"}>{t.disputes[dispute.state]}</Badge>
      )}
      {fulfilment && status !== "refunded" && <Handover {...fulfilment} />}
    </div>
  );
}

function Handover({ state, problem, outcome }: Fulfilment) {
  return (
    <>
      <Badge tone={state === "problem" ? "danger" : "neutral"}>{t.states[state]}</Badge>
      {state === "problem" && <p className="line-clamp-3 text-sm wrap-anywhere">{problem}</p>}
      {outcome && <p className="text-muted text-sm">{t.outcomes[outcome]}</p>}
    </>
  );
}

const PAYOUT_TONES = { due: "warn", paidOut: "ok", debt: "danger", repaid: "ok" } as const;

/** What the buyer pays, what became of the money, and the payout with its reference. */
export function MoneyCell({ order: { total, postage, money, payout } }: { order: Booking }) {
  const sums = [
    postage > 0 ? inclPostage(postage) : "",
    money?.refunded ? t.refunded(cents(money.refunded)) : "",
    money?.commission ? t.commission(cents(money.commission)) : "",
    money && money.waiting > 0 && !payout ? t.waiting(cents(money.waiting)) : "",
  ].filter(Boolean);
  return (
    <div className="grid justify-items-start gap-1">
      <span className="font-semibold tabular-nums">{dollars(total)}</span>
      {sums.length > 0 && <span className="text-muted text-sm">{sums.join(", ")}</span>}
      {payout && (
        <Badge tone={PAYOUT_TONES[payout.state]}>{t.payoutOf(payout.state, cents(payout.cents))}</Badge>
      )}
      {payout?.reference && (
        <span className="wrap-anywhere text-muted text-sm">
          {t.paidOutOn(payout.reference, payout.at ?? "")}
        </span>
      )}
    </div>
  );
}

interface DecideProps {
  order: Booking;
  /** Payouts are made by hand. */
  isManual: boolean;
  onChoose: ReturnType<typeof useDecision>["choose"];
}

/**
 * What an admin can do about an order here. One that goes well has no button: its own page has them. Nothing can be done
 * while the buyer's bank decides about the money, but to record what its seller has paid back.
 */
function actionsOf({ order, isManual }: Omit<DecideProps, "onChoose">): Action[] {
  const { status, fulfilment, payout, dispute, tabs } = order;
  if (payout?.state === "debt") return ["repayment"];
  if (status !== "paid" || fulfilment?.outcome === "refund" || dispute?.state === "open") return [];
  if (fulfilment?.state !== "settled") {
    if (!tabs?.includes("problem")) return [];
    return mayReturn(order) ? ["release", "return", "refund"] : ["release", "refund"];
  }
  return payout?.state === "due" && isManual ? ["payout", "refund"] : ["refund"];
}

export function DecideCell({ order, isManual, onChoose }: DecideProps) {
  return (
    // Reserves the height of the buttons, so that nothing moves when they are removed.
    <div className="flex min-h-9 flex-wrap gap-2">
      {actionsOf({ order, isManual }).map((action) => (
        <Button
          key={action}
          size="sm"
          variant={action === "refund" ? "quiet" : "secondary"}
          title={t.of(t.actions[action], order.productName)}
          onClick={() => onChoose(action, order)}
        >
          {t.actions[action]}
        </Button>
      ))}
    </div>
  );
}
