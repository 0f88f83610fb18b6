import { type MouseEvent, type RefObject, useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { bookingDialogOpened } from "@/api/dialogSlice";
import { useKeptTyping } from "@/api/draft";
import type { Product, SignedInUser } from "@/api/types";
import * as t from "@/texts/booking";
import { Button, cx, Field, useToast } from "@/ui";
import { BookingBlocked } from "./BookingBlocked";
import { Changes } from "./Changes";
import { checkPhone } from "./rules";
import { type BookingFormValues, useBooking } from "./useBooking";

export type { BookingFormValues };

interface Props {
  chosen: Product;
  me: SignedInUser;
  /** Typed before their session ended. */
  typed: Partial<BookingFormValues>;
  onDone: () => void;
}

/** The booking form; what is typed outlives the phone, and goes with the next one that is chosen. */
export function BookingForm({ chosen, me, typed, onDone }: Props) {
  const booking = useBooking(chosen, me);
  const { product, blockReason, changes } = booking;
  // A new price alone is told beside the button.
  const isOther = !blockReason && !booking.isBusy && changes.some((field) => field !== "resalePrice");
  const { register, handleSubmit, setError, setFocus, getValues, formState } = useForm<BookingFormValues>({
    defaultValues: { phone: "", location: "", ...typed },
  });
  useKeptTyping("booking", me, product, () => ({ ...getValues() }));
  const toast = useToast();
  const dispatch = useDispatch();
  const button = useRef<HTMLButtonElement>(null);

  const submit = async (values: BookingFormValues) => {
    if (booking.isLost || changes.length > 0) return;
    const failure = await booking.submit(values);
    if (!failure) {
      toast(t.confirmed);
      onDone();
      return;
    }
    for (const name of ["phone", "location"] as const) {
      if (failure.fields?.[name]) setError(name, { message: failure.fields[name] });
    }
  };

  const first = useRef(chosen._id);
  useEffect(() => {
    if (first.current === chosen._id) return;
    first.current = chosen._id;
    // The card that was pressed has gone: on with what is to be done next.
    if (getValues("phone").trim() === "") setFocus("phone");
    else button.current?.focus();
  }, [chosen._id, getValues, setFocus]);

  const { errors } = formState;
  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      {/* One place for all, so that nothing moves when the phone is lost or changed. */}
      <div className="grid *:col-start-1 *:row-start-1">
        <div className={cx("grid content-start gap-4", (blockReason || isOther) && "invisible")}>
          <Field label={t.userName} name="userName" value={me.displayName} readOnly />
          <Field label={t.email} name="email" type="email" value={me.email} readOnly />
          <Field label={t.productName} name="productName" value={product.name} readOnly />
          <Field label={t.price} name="price" value={product.resalePrice} readOnly />
        </div>
        <BookingBlocked
          is={blockReason}
          of={product}
          message={booking.failure?.message}
          onChoose={(other) => dispatch(bookingDialogOpened(other))}
        />
        {isOther && <Changes changes={changes} before={booking.agreed} now={product} />}
      </div>
      <Field
        label={t.phone}
        type="tel"
        autoComplete="tel"
        error={errors.phone?.message}
        {...register("phone", { validate: checkPhone })}
      />
      <Field
        label={t.location}
        hint={t.locationHint}
        error={errors.location?.message}
        {...register("location")}
      />
      {/* Always in sight, however little of the form is. */}
      <div className="-bottom-6 -mb-6 sm:-bottom-8 sm:-mb-8 sticky grid gap-1 bg-surface pb-6 sm:pb-8">
        <Standing booking={booking} />
        <Confirm booking={booking} button={button} />
      </div>
    </form>
  );
}

type Booking = ReturnType<typeof useBooking>;

/** What there is to know before pressing the button. Its two lines are always there, so that nothing moves. */
function Standing({ booking }: { booking: Booking }) {
  return (
    <p role="status" className="grid min-h-13 content-center font-medium text-accent text-sm">
      {wordsOf(booking)}
    </p>
  );
}

function wordsOf({ product, blockReason, isLost, isBusy, agreed, changes, failure, news }: Booking): string {
  if (isLost) return t.kept;
  if (blockReason) return "";
  if (changes.length > 0 && !isBusy)
    return changes.every((field) => field === "resalePrice")
      ? t.newPrice(agreed.resalePrice, product.resalePrice)
      : t.checkChanges;
  return failure?.message ?? news;
}

interface ConfirmProps {
  booking: Booking;
  button: RefObject<HTMLButtonElement | null>;
}

/** Books; after the phone was changed, agrees to that first. The same button, so the focus stays on it. */
function Confirm({ booking: { product, isLost, isBusy, changes, agree }, button }: ConfirmProps) {
  const asks = !isLost && !isBusy && changes.length > 0;
  const isPrice = changes.every((field) => field === "resalePrice");
  const question = isPrice ? t.agree(product.resalePrice) : t.agreeChanges;
  const onClick = (event: MouseEvent) => {
    if (!asks) return;
    // It turns into the submit button at once, and must not submit by the same press.
    event.preventDefault();
    agree();
  };
  return (
    <Button
      ref={button}
      type={asks ? "button" : "submit"}
      variant={asks ? "secondary" : "primary"}
      busy={isBusy}
      disabled={isLost}
      onClick={onClick}
    >
      {asks ? question : t.confirm}
    </Button>
  );
}
