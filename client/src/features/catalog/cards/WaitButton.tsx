import { useDispatch } from "react-redux";
import { leaveDialogOpened } from "@/api/dialogSlice";
import type { Product, Wait } from "@/api/types";
import { booked } from "@/texts/catalog";
import * as t from "@/texts/waitlist";
import { Button, Countdown, cx } from "@/ui";
import { Label, SECOND_LINE, TwoLines } from "./Label";

interface Props {
  product: Product;
  /** The buyer's place on its waitlist. */
  wait: Wait | undefined;
  /** Join waitlist was pressed. */
  onWait: (product: Product) => void;
}

/** A phone that another buyer holds: for how long, and Join waitlist, or the buyer's place on its waitlist and Leave waitlist. */
export function WaitButton({ product, wait, onWait }: Props) {
  const { _id, heldUntil, waiting = 0 } = product;
  const dispatch = useDispatch();
  const first = wait ? <BookedAndPlace position={wait.position} /> : booked;
  return (
    <span className="grid grid-cols-[1fr_auto]">
      <Label
        className={cx(
          "rounded-e-none border-e-0 @max-3xs:px-0!",
          wait ? "border-brand bg-brand-soft text-brand" : "border-edge bg-accent-soft text-accent",
        )}
      >
        {heldUntil ? (
          <TwoLines
            first={first}
            second={<Countdown until={heldUntil} className={SECOND_LINE} leftClass="@max-3xs:sr-only" />}
          />
        ) : (
          <span>{first}</span>
        )}
        {waiting > 0 && <span className="sr-only">{`, ${t.peopleWaiting(waiting)}`}</span>}
      </Label>
      <Button
        variant="secondary"
        className={cx(
          // A narrow card has room for two short lines, which are not higher than Book Now.
          "rounded-s-none @max-3xs:w-16 @max-3xs:px-1! px-3! @max-3xs:py-1! @max-3xs:text-sm/4",
          wait && "border-brand! @max-3xs:text-xs!",
        )}
        aria-describedby={`phone-${_id}`}
        onClick={() => (wait ? dispatch(leaveDialogOpened(product)) : onWait(product))}
      >
        {wait ? t.leave : t.join}
      </Button>
    </span>
  );
}

/** Booked, and the buyer's place. A narrow card has room for the place only, and screen readers read both. */
function BookedAndPlace({ position }: Pick<Wait, "position">) {
  return (
    <>
      <span className="@max-2xs:sr-only">{`${booked} · `}</span>
      <span>{t.place(position)}</span>
    </>
  );
}
