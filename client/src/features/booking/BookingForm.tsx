import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { Link } from "react-router-dom";
import { useSaveDialogDraft } from "@/api/dialogDraft";
import { bookingDialogOpened } from "@/api/dialogSlice";
import type { Product, SignedInUser } from "@/api/types";
import * as t from "@/texts/booking";
import { Button, cx, Field, Thumbnail, useToast } from "@/ui";
import { BookingBlocked } from "./BookingBlocked";
import { Changes } from "./Changes";
import { ReadOnlyField } from "./ReadOnlyField";
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
  useSaveDialogDraft("booking", me, product, () => ({ ...getValues() }));
  const toast = useToast();
  const dispatch = useDispatch();
  const button = useRef<HTMLButtonElement>(null);

  const submit = async (values: BookingFormValues) => {
    if (booking.isLost || changes.length > 0) return;
    const outcome = await booking.submit(values);
    const { failure } = outcome;
    if (!failure) {
      toast(t.confirmed, "ok", <PayLink booking={outcome.booked} />);
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

  // What covers the fields takes the focus from them, and gives it back.
  const isCovered = blockReason !== null || isOther;
  const fields = useRef<HTMLDivElement>(null);
  const cover = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const left = isCovered ? fields.current : cover.current;
    hadFocus.current = left?.contains(document.activeElement) ?? false;
  }, [isCovered]);
  useEffect(() => {
    if (!hadFocus.current) return;
    if (isCovered) cover.current?.focus();
    else setFocus("phone");
  }, [isCovered, setFocus]);

  const { errors } = formState;
  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      {/* One place for all, so that nothing moves when the phone is lost or changed. */}
      <div className="grid *:col-start-1 *:row-start-1">
        <div ref={fields} className={cx("grid content-start gap-4 sm:gap-6", isCovered && "invisible")}>
          <Summary booking={booking} me={me} />
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
        </div>
        <div
          ref={cover}
          tabIndex={-1}
          className={cx("grid outline-none", !isCovered && "pointer-events-none")}
        >
          <BookingBlocked
            is={blockReason}
            of={product}
            message={booking.failure?.message}
            onChoose={(other) => dispatch(bookingDialogOpened(other))}
          />
          {isOther && <Changes changes={changes} before={booking.agreed} now={product} />}
        </div>
      </div>
      {/* Always in sight, however little of the form is. */}
      <div className="-bottom-6 -mb-6 sm:-bottom-8 sm:-mb-8 sticky grid bg-surface pt-1 pb-6 sm:pb-8">
        <Confirm booking={booking} button={button} />
      </div>
    </form>
  );
}

/** In the toast: what comes next. */
function PayLink({ booking }: { booking: string }) {
  return (
    <Link to={`/dashboard/payment/${booking}`} className="py-1.5 font-semibold underline underline-offset-4">
      {t.payNow}
    </Link>
  );
}

type Booking = ReturnType<typeof useBooking>;

/** The phone and the buyer, as they are booked; what has happened meanwhile stands in the place of the buyer. */
function Summary({ booking, me }: { booking: Booking; me: SignedInUser }) {
  const { product } = booking;
  const news = newsOf(booking);
  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3">
      <Thumbnail of={product} eager />
      <div className="grid min-w-0 grid-cols-[1fr_6rem] gap-x-4">
        <ReadOnlyField label={t.productName} name="productName" value={product.name} isStrong />
        <ReadOnlyField label={t.price} name="price" value={product.resalePrice} affix="$" isStrong />
      </div>
      <div className="col-span-2 grid *:col-start-1 *:row-start-1">
        <div className={cx("grid grid-cols-2 gap-x-4", news && "invisible")}>
          <ReadOnlyField label={t.userName} name="userName" value={me.displayName} />
          <ReadOnlyField label={t.email} name="email" value={me.email} />
        </div>
        <p role="status" className="grid content-center font-medium text-accent text-sm">
          {news}
        </p>
      </div>
    </div>
  );
}

/** What there is to know before pressing the button. */
function newsOf({ product, blockReason, isBusy, agreed, changes, failure, news }: Booking): string {
  if (blockReason) return "";
  // Other changes than of the price are shown in the place of the form.
  if (changes.length > 0 && !isBusy) return t.newPrice(agreed.resalePrice, product.resalePrice);
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
  const question = isPrice ? t.acceptPrice(product.resalePrice) : t.acceptChanges;
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
