import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Product } from "@/api/types";
import * as t from "@/texts/catalog";
import { Button, Countdown } from "@/ui";

interface Props {
  product: Product;
  /** It has been taken off the market while it was being looked at. */
  gone?: boolean;
  onBook: (product: Product) => void;
}

/**
 * Book Now, or the Booked label in its place: as high and as wide, so that nothing moves. Whoever stood
 * on the button when a push took it away stands on the label then, and not at the top of the page.
 */
export function BookButton({ product, gone = false, onBook }: Props) {
  const taken = product.booked || gone;
  const label = useRef<HTMLSpanElement>(null);
  const hadFocus = useRef(false);

  useLayoutEffect(() => {
    if (taken && hadFocus.current) label.current?.focus({ preventScroll: true });
    hadFocus.current = false;
  }, [taken]);

  if (!taken) return <BookNow product={product} onBook={onBook} stoodHere={hadFocus} />;
  return (
    <span
      ref={label}
      tabIndex={-1}
      className="grid min-h-11 place-content-center justify-items-center rounded-md border border-transparent bg-accent-soft px-1 text-center font-bold text-accent"
    >
      <TakenLabel product={product} gone={gone} />
    </span>
  );
}

/** Why it cannot be booked; of a phone that is held, how long it is. Both lines are as high as the button. */
function TakenLabel({ product: { heldUntil, sold }, gone }: Pick<Props, "product" | "gone">) {
  if (gone) return t.notForSale;
  if (sold || !heldUntil) return t.booked;
  return (
    <>
      <span className="text-sm/5">{t.booked}</span>
      <span className="sr-only">, </span>
      <Countdown until={heldUntil} className="whitespace-nowrap font-semibold text-xs/4" />
    </>
  );
}

function BookNow({ product, onBook, stoodHere }: Props & { stoodHere: RefObject<boolean> }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    // React takes effects down before it removes the element, so the focus is still where it was.
    return () => {
      stoodHere.current = element !== null && document.activeElement === element;
    };
  }, [stoodHere]);
  return (
    <Button
      ref={button}
      className="whitespace-nowrap px-3!"
      onClick={() => onBook(product)}
      aria-describedby={`phone-${product._id}`}
    >
      {t.bookNow}
    </Button>
  );
}
