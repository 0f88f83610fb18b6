import { Link } from "react-router-dom";
import { useOwnBooking } from "@/api/bookings";
import { useIsOwnPhone } from "@/api/me";
import { useMayBook } from "@/api/role";
import type { Booking, Product } from "@/api/types";
import { useOwnWait } from "@/api/waitlist";
import * as t from "@/texts/catalog";
import { timeOrDay } from "@/texts/dates";
import { peopleWaiting } from "@/texts/waitlist";
import { Button, buttonClass, Countdown, cx, useKeptFocus, useNow } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { Label, SECOND_LINE, TwoLines } from "./Label";
import { WaitButton } from "./WaitButton";

interface Props {
  product: Product;
  /** It was removed while the page was open. */
  removed?: boolean;
  /** Book Now or Join waitlist was pressed. */
  onBookOrWait: (product: Product) => void;
}

/**
 * Book Now, or in its place, of the same size: the Booked label, with Join waitlist beside it while the phone is held.
 * If a pushed event replaces the focused button, the focus moves to the replacement.
 */
export function BookingControl(props: Props) {
  const { product, removed = false, onBookOrWait } = props;
  const own = useOwnBooking(product._id);
  const wait = useOwnWait(product._id);
  const mayBook = useMayBook();
  const isOwnPhone = useIsOwnPhone(product);
  const keptFocus = useKeptFocus<HTMLSpanElement>();
  const isHeld = product.booked && !product.sold && !removed;
  const content = () => {
    if (!removed && own?.status === "held") return <OwnHold own={own} />;
    if (isHeld && mayBook && !isOwnPhone)
      return <WaitButton product={product} wait={wait} onWait={onBookOrWait} />;
    if (product.booked || removed)
      return <Unavailable product={product} removed={removed} isOwn={own?.status === "paid"} />;
    return isOwnPhone ? (
      <EditOwn product={product} />
    ) : (
      <BookNow product={product} own={own} onBook={onBookOrWait} />
    );
  };
  return (
    <span {...keptFocus} data-focus-place className="contents">
      {content()}
    </span>
  );
}

/** A seller's own phone. */
function EditOwn({ product: { _id } }: Pick<Props, "product">) {
  return (
    <Link
      to={`/dashboard/myProducts/${_id}`}
      className={cx(buttonClass({ variant: "secondary" }), "whitespace-nowrap px-2! @max-3xs:text-sm")}
      aria-describedby={`phone-${_id}`}
    >
      {t.editOwn}
    </Link>
  );
}

interface UnavailableProps extends Pick<Props, "product" | "removed"> {
  /** The buyer has paid for it. */
  isOwn: boolean;
}

/** Why it cannot be booked, and for how long a held phone is held. */
function Unavailable({ product: { heldUntil, sold, waiting = 0 }, removed, isOwn }: UnavailableProps) {
  if (removed) return <Label>{t.notForSale}</Label>;
  const second = isOwn ? (
    <span className={SECOND_LINE}>{t.yoursPaid}</span>
  ) : (
    !sold && heldUntil && <Countdown until={heldUntil} className={SECOND_LINE} />
  );
  return (
    <Label>
      {second ? <TwoLines first={t.booked} second={second} /> : <span>{t.booked}</span>}
      {waiting > 0 && <span className="sr-only">{`, ${peopleWaiting(waiting)}`}</span>}
    </Label>
  );
}

/** The buyer's own phone, which they have not paid yet. Pay is the next step: it gets the focus of Book Now. */
function OwnHold({ own }: { own: Booking }) {
  const now = useNow(own.holdUntil);
  return (
    <span className="grid grid-cols-[1fr_auto]">
      <Label className="rounded-e-none border-brand bg-brand-soft text-brand" isFocusable={false}>
        <TwoLines
          first={t.booked}
          second={
            // A narrow card has room for the time alone.
            <span className={SECOND_LINE}>
              <span className="@max-3xs:sr-only">{t.forYouUntil}</span>{" "}
              <time dateTime={own.holdUntil}>{timeOrDay(own.holdUntil, now)}</time>
            </span>
          }
        />
      </Label>
      <Link
        to={`/dashboard/payment/${own._id}`}
        aria-label={t.payFor(own.productName)}
        className={cx(buttonClass(), "rounded-s-none @max-3xs:px-2! px-3!")}
      >
        {t.pay}
      </Link>
    </span>
  );
}

interface BookNowProps extends Pick<Props, "product"> {
  /** The buyer's former booking of it. */
  own: Booking | undefined;
  onBook: (product: Product) => void;
}

function BookNow({ product, own, onBook }: BookNowProps) {
  const mayBook = useMayBook();
  const bookAgainAt = own?.bookAgainAt;
  const now = useNow(bookAgainAt);
  const mustWait = bookAgainAt !== undefined && Date.parse(bookAgainAt) > now;
  return (
    <Button
      className="whitespace-nowrap px-3!"
      disabled={!mayBook || mustWait}
      title={mayBook ? undefined : t.notForAdmins}
      onClick={() => onBook(product)}
      aria-describedby={`phone-${product._id}`}
    >
      {mustWait ? <BookAgain at={bookAgainAt} /> : t.bookNow}
    </Button>
  );
}

/** The buyer's booking has just ended: the server refuses another one until then. */
function BookAgain({ at }: { at: string }): Elements {
  return (
    <span className="grid justify-items-center">
      <span className="text-sm/5">{t.bookNow}</span>
      <span className="font-semibold text-xs/4">{t.bookAgainAt(at)}</span>
    </span>
  );
}
