import { useConfigQuery } from "@/api/config";
import type { Booking } from "@/api/types";
import * as t from "@/texts/payment";
import { toPay } from "@/texts/promise";
import { RadioCard } from "@/ui";
import { AddressForm } from "./AddressForm";
import { SavedAddress } from "./SavedAddress";
import type { DeliveryControls } from "./useDelivery";

interface Props {
  booking: Booking;
  controls: DeliveryControls;
  /** A payment is being made. */
  isLocked: boolean;
}

/**
 * How the buyer gets the phone: a choice if the seller offers both, what we promise for it, and the address of a phone
 * that is sent.
 */
export function DeliverySection({ booking, controls, isLocked }: Props) {
  const { delivers, sendPostage } = booking;
  const { data: promises } = useConfigQuery();
  return (
    <section
      aria-labelledby="delivery-title"
      className="rounded-lg border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      <fieldset disabled={isLocked} className="grid min-w-0 gap-4">
        <h3 id="delivery-title" className="font-bold text-xl">
          {delivers === "both" ? t.deliveryQuestion : t.deliveryTitle}
        </h3>
        {delivers === "both" && <Choices booking={booking} controls={controls} />}
        {delivers === "meet" && <p>{t.onlyMeet}</p>}
        {delivers === "send" && <p>{t.onlySend(sendPostage)}</p>}
        {promises && <p className="text-muted">{toPay[controls.delivery](promises)}</p>}
        {controls.failure && (
          <p role="alert" className="font-medium text-danger text-sm">
            {controls.failure}
          </p>
        )}
        {controls.showsForm && <AddressForm controls={controls} />}
        {controls.delivery === "send" && !controls.showsForm && <SavedAddress controls={controls} />}
      </fieldset>
    </section>
  );
}

/** Each choice says what the buyer pays in all. */
function Choices({ booking: { price, sendPostage }, controls }: Omit<Props, "isLocked">) {
  const totals = { meet: price, send: price + sendPostage };
  return (
    <div role="radiogroup" aria-labelledby="delivery-title" className="grid gap-2">
      {(["meet", "send"] as const).map((choice) => (
        <RadioCard
          key={choice}
          name="delivery"
          value={choice}
          checked={controls.delivery === choice}
          onChange={() => void controls.choose(choice)}
        >
          {t.choiceFor(choice, totals[choice])}
        </RadioCard>
      ))}
    </div>
  );
}
