import { type FormEvent, useState } from "react";
import { Link } from "react-router-dom";
import { errorMessage } from "@/api/errors";
import type { Offer, OfferAnswer } from "@/api/types";
import { parseDollars } from "@/lib/dollars";
import { timeOrDay } from "@/texts/dates";
import * as t from "@/texts/messages";
import { Button, buttonClass, Field, useKeptFocus, useNow, useToast } from "@/ui";
import { isOpen, useAnswerOfferMutation } from "./endpoints";
import { OfferState } from "./OfferState";

/** An offer with its state, its clock, and what the reader can do with it; live. */
export function OfferCard({ offer }: { offer: Offer }) {
  const { status, price, expiresAt, bookingId } = offer;
  const now = useNow(expiresAt);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  return (
    <div
      {...keptFocus}
      tabIndex={-1}
      className="grid gap-2 rounded-md border border-brand bg-brand-soft p-3 text-ink outline-none"
    >
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <OfferState offer={offer} className="font-bold tabular-nums" />
      </p>
      {status === "accepted" && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          <span>{offer.role === "buyer" ? t.heldFor : t.bookedFor}</span>
          <time dateTime={expiresAt}>{timeOrDay(expiresAt, now)}</time>
          {bookingId && (
            <Link to={`/dashboard/payment/${bookingId}`} className={buttonClass({ size: "sm" })}>
              {t.payNow(price)}
            </Link>
          )}
        </p>
      )}
      {isOpen(offer) && <Actions offer={offer} />}
    </div>
  );
}

/** The buttons of an open offer: the side that has to answer accepts, declines or, as the seller, asks another price. */
export function Actions({ offer }: { offer: Offer }) {
  const { _id, role, by, price } = offer;
  const [answer, { isLoading }] = useAnswerOfferMutation();
  const [isCountering, setCountering] = useState(false);
  const toast = useToast();
  const mustAnswer = by !== role;
  const act = async (body: OfferAnswer) => {
    const { error } = await answer({ id: _id, ...body });
    if (error) return toast(errorMessage(error), "error");
    setCountering(false);
    toast(t.answered[body.action]);
  };
  if (isCountering) {
    return (
      <CounterForm
        offer={offer}
        busy={isLoading}
        onSend={(other) => void act({ action: "counter", price: other })}
        onCancel={() => setCountering(false)}
      />
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      {mustAnswer && (
        <Button size="sm" busy={isLoading} onClick={() => void act({ action: "accept" })}>
          {t.accept(price)}
        </Button>
      )}
      {role === "seller" && mustAnswer && (
        <Button size="sm" variant="secondary" onClick={() => setCountering(true)}>
          {t.counter}
        </Button>
      )}
      {mustAnswer && (
        <Button
          size="sm"
          variant="secondary"
          disabled={isLoading}
          onClick={() => void act({ action: "decline" })}
        >
          {t.decline}
        </Button>
      )}
      {role === "buyer" && !mustAnswer && (
        <Button
          size="sm"
          variant="secondary"
          busy={isLoading}
          onClick={() => void act({ action: "withdraw" })}
        >
          {t.withdraw}
        </Button>
      )}
    </div>
  );
}

interface CounterProps {
  offer: Offer;
  busy: boolean;
  onSend: (price: number) => void;
  onCancel: () => void;
}

function CounterForm({ offer: { price, listPrice }, busy, onSend, onCancel }: CounterProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const other = parseDollars(text);
    if (typeof other === "string" || other <= price || other >= listPrice)
      return setError(t.priceHint(price + 1, listPrice - 1));
    onSend(other);
  };
  return (
    <form className="flex flex-wrap items-end gap-2" noValidate onSubmit={submit}>
      <Field
        label={t.counterPrice}
        hint={t.priceHint(price + 1, listPrice - 1)}
        affix="$"
        inputMode="numeric"
        name="price"
        autoFocus
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" busy={busy}>
        {t.sendCounter}
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        {t.cancel}
      </Button>
    </form>
  );
}
