import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { useOwnBooking } from "@/api/bookings";
import { useIsOwnPhone } from "@/api/me";
import { useMayBook } from "@/api/role";
import type { Booking, Product } from "@/api/types";
import * as t from "@/texts/catalog";
import { Button, buttonClass, Countdown, cx, useNow } from "@/ui";

interface Props {
  product: Product;
  /** It was removed while the page was open. */
  removed?: boolean;
  onBook: (product: Product) => void;
}

/**
 * Book Now, or the Booked label of the same size in its place. When a pushed event replaces a focused button, the
 * label gets the focus.
 */
export function BookButton({ product, removed = false, onBook }: Props) {
  const unavailable = product.booked || removed;
  const label = useRef<HTMLSpanElement>(null);
  const hadFocus = useRef(false);
  const own = useOwnBooking(product._id);
  const isOwnPhone = useIsOwnPhone(product);

  useLayoutEffect(() => {
    if (unavailable && hadFocus.current) label.current?.focus({ preventScroll: true });
    hadFocus.current = false;
  }, [unavailable]);

  if (!removed && own?.status === "held") return <OwnHold own={own} label={label} />;
  if (unavailable) {
    return (
      <Label label={label}>
        <UnavailableLabel product={product} removed={removed} isOwn={own?.status === "paid"} />
      </Label>
    );
  }
  if (isOwnPhone) {
    return (
      <Link
        to={`/dashboard/myProducts/${product._id}`}
        className={cx(buttonClass({ variant: "secondary" }), "whitespace-nowrap px-2! @max-3xs:text-sm")}
        aria-describedby={`phone-${product._id}`}
      >
        {t.editOwn}
      </Link>
    );
  }
  return <BookNow product={product} own={own} onBook={onBook} hadFocus={hadFocus} />;
}

interface LabelProps {
  label: RefObject<HTMLSpanElement | null>;
  className?: string;
  children: ReactNode;
}

/** The label in the place of the button. */
function Label({ label, className = "border-transparent bg-accent-soft text-accent", children }: LabelProps) {
  return (
    <span
      ref={label}
      tabIndex={-1}
      className={cx(
        "grid min-h-11 place-content-center justify-items-center rounded-md border px-1 text-center font-bold",
        className,
      )}
    >
      {children}
    </span>
  );
}

/** The second line of a label. */
const SECOND = "whitespace-nowrap font-semibold text-xs/4";

/** Why it cannot be booked, and for how long a held phone is held. Two lines are as high as the button. */
function UnavailableLabel({
  product: { heldUntil, sold },
  removed,
  isOwn,
}: Pick<Props, "product" | "removed"> & { isOwn: boolean }) {
  if (removed) return t.notForSale;
  if (isOwn) return <TwoLines second={<span className={SECOND}>{t.yoursPaid}</span>} />;
  if (sold || !heldUntil) return t.booked;
  return <TwoLines second={<Countdown until={heldUntil} className={SECOND} />} />;
}

function TwoLines({ second }: { second: ReactNode }) {
  return (
    <>
      <span className="@max-3xs:text-xs/3 text-sm/5">{t.booked}</span>
      <span className="sr-only">, </span>
      {second}
    </>
  );
}

/** The buyer's own phone, which they have not paid yet. */
function OwnHold({ own, label }: { own: Booking; label: LabelProps["label"] }) {
  return (
    <span className="grid grid-cols-[1fr_auto]">
      <Label label={label} className="rounded-e-none border-brand bg-brand-soft text-brand">
        <TwoLines
          second={
            // A narrow card has room for the time alone.
            <span className={SECOND}>
              <span className="@max-3xs:sr-only">{t.yours}</span>{" "}
              <Countdown until={own.holdUntil} className="" leftClass="@max-3xs:sr-only" />
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

interface BookNowProps extends Props {
  /** The buyer's former booking of it. */
  own: Booking | undefined;
  hadFocus: RefObject<boolean>;
}

function BookNow({ product, own, onBook, hadFocus }: BookNowProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    // React runs this clean-up before it removes the element, so the focus is still on it.
    return () => {
      hadFocus.current = element !== null && document.activeElement === element;
    };
  }, [hadFocus]);
  const mayBook = useMayBook();
  const bookAgainAt = own?.bookAgainAt;
  const now = useNow(bookAgainAt);
  const mustWait = bookAgainAt !== undefined && Date.parse(bookAgainAt) > now;
  return (
    <Button
      ref={button}
      className="whitespace-nowrap px-3!"
      disabled={!mayBook || mustWait}
      title={mayBook ? undefined : t.buyersOnly}
      onClick={() => onBook(product)}
      aria-describedby={`phone-${product._id}`}
    >
      {mustWait ? <Wait until={bookAgainAt} /> : t.bookNow}
    </Button>
  );
}

/** The buyer's booking has just ended: the server refuses another one until then. */
function Wait({ until }: { until: string }) {
  return (
    <span className="grid justify-items-center">
      <span className="text-sm/5">{t.bookNow}</span>
      <span className="font-semibold text-xs/4">{t.bookAgainAt(until)}</span>
    </span>
  );
}
