import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Product } from "@/api/types";
import * as t from "@/texts/catalog";
import { Button, Countdown } from "@/ui";

interface Props {
  product: Product;
  /** It was removed while the page was open. */
  gone?: boolean;
  onBook: (product: Product) => void;
}

/**
 * Book Now, or the Booked label of the same size in its place. When a pushed event replaces a focused button, the
 * label gets the focus.
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

/** Why it cannot be booked, and for how long a held phone is held. Two lines are as high as the button. */
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
    // React runs this clean-up before it removes the element, so the focus is still on it.
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
