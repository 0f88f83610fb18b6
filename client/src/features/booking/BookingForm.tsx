import { type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { Link } from "react-router-dom";
import { useIsFirstBooking } from "@/api/bookings";
import { useConfigQuery } from "@/api/config";
import { useRememberedContact } from "@/api/contact";
import { useSaveDialogDraft } from "@/api/dialogDraft";
import { bookingDialogOpened, waitDialogOpened } from "@/api/dialogSlice";
import { EMAIL_CHOICES, useEmailConfirmed } from "@/api/emailNotice";
import type { Product, SignedInUser } from "@/api/types";
import * as t from "@/texts/booking";
import { aboutBooking } from "@/texts/emailNotice";
import { number } from "@/texts/language";
import { toBook } from "@/texts/promise";
import { join } from "@/texts/waitlist";
import { Button, cx, ReadOnlyField, Thumbnail, useToast } from "@/ui";
import { BuyerContactFields } from "@/ui/BuyerContactFields";
import { EmailNotice } from "@/ui/EmailNotice";
import { BookingBlocked, SendConfirmation } from "./BookingBlocked";
import { FormCover } from "./FormCover";
import { FormFooter } from "./FormFooter";
import { ProductChanges } from "./ProductChanges";
import { type BookingFormValues, useBooking } from "./useBooking";

export type { BookingFormValues };

interface Props {
  selected: Product;
  me: SignedInUser;
  /** The values of the draft from before the session ended, or of the form before this one. */
  initialValues: Partial<BookingFormValues>;
  /** Another form was shown in the dialog before: its button was removed with the focus. */
  replacesAnotherForm: boolean;
  onDone: () => void;
}

/** The booking form. Its values are kept when another phone is selected in place of this one. */
export function BookingForm({ selected, me, initialValues, replacesAnotherForm, onDone }: Props) {
  const booking = useBooking(selected, me);
  const { product, blockReason, changes } = booking;
  // A new price alone is shown beside the button.
  const showsChanges = !blockReason && !booking.isBusy && changes.some((field) => field !== "resalePrice");
  const form = useForm<BookingFormValues>({ defaultValues: { phone: "", location: "", ...initialValues } });
  const { register, handleSubmit, setError, setFocus, getValues, formState } = form;
  const { remember } = useRememberedContact(form);
  useSaveDialogDraft("booking", me, product, () => ({ ...getValues() }));
  const toast = useToast();
  const dispatch = useDispatch();
  const button = useRef<HTMLButtonElement>(null);
  const { data: promises } = useConfigQuery();

  const submit = async (values: BookingFormValues) => {
    if (booking.action !== "book" || changes.length > 0) return;
    const result = await booking.submit(values);
    const { error } = result;
    if (!error) {
      remember(values);
      toast(t.confirmed, "ok", () => <PayLink booking={result.booked} />);
      onDone();
      return;
    }
    for (const name of ["phone", "location"] as const) {
      if (error.fields?.[name]) setError(name, { message: error.fields[name] });
    }
  };

  const lastId = useRef(replacesAnotherForm ? "" : selected._id);
  useEffect(() => {
    if (lastId.current === selected._id) return;
    lastId.current = selected._id;
    // The pressed button was removed: the focus moves to the next step.
    if (getValues("phone").trim() === "") setFocus("phone");
    else button.current?.focus();
  }, [selected._id, getValues, setFocus]);

  const isCovered = blockReason !== null || showsChanges;
  const { errors } = formState;
  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      <FormCover
        isCovered={isCovered}
        onUncovered={() => setFocus("phone")}
        cover={
          <>
            <BookingBlocked
              reason={blockReason}
              of={product}
              message={booking.error?.message}
              onChoose={(other) => dispatch(bookingDialogOpened(other, getValues()))}
            />
            {showsChanges && <ProductChanges changes={changes} before={booking.accepted} now={product} />}
          </>
        }
      >
        <Summary booking={booking} me={me} />
        <BuyerContactFields register={register} errors={errors} />
        {promises && <p className="text-muted text-sm">{toBook(promises)}</p>}
        <FirstBookingNotice />
      </FormCover>
      <FormFooter modelToWatch={booking.wasUnavailable && product}>
        <BookingActionButton
          booking={booking}
          button={button}
          onWait={() => dispatch(waitDialogOpened(product, getValues()))}
        />
      </FormFooter>
    </form>
  );
}

function FirstBookingNotice() {
  // It stays while the dialog is open, so that nothing moves.
  const [isFirst] = useState(useIsFirstBooking());
  const isConfirmed = useEmailConfirmed();
  if (!isFirst || isConfirmed === undefined) return null;
  return (
    <EmailNotice
      text={aboutBooking}
      settings={(words) => <Link to={EMAIL_CHOICES}>{words}</Link>}
      confirm={isConfirmed ? null : <SendConfirmation />}
    />
  );
}

/** The link in the toast. */
const PayLink = ({ booking }: { booking: string }) => (
  <Link
    to={`/dashboard/payment/${booking}`}
    className="whitespace-nowrap py-1.5 font-semibold underline underline-offset-4"
  >
    {t.payNow}
  </Link>
);

type Booking = ReturnType<typeof useBooking>;

/** The phone and the buyer; a notice is shown in place of the buyer. */
function Summary({ booking, me }: { booking: Booking; me: SignedInUser }) {
  const { product } = booking;
  const notice = noticeOf(booking);
  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3">
      <Thumbnail product={product} eager />
      <div className="grid min-w-0 grid-cols-[1fr_6rem] gap-x-4">
        <ReadOnlyField label={t.productName} name="productName" value={product.name} isStrong />
        <ReadOnlyField label={t.price} name="price" value={number(product.resalePrice)} affix="$" isStrong />
      </div>
      <div className="col-span-2 grid *:col-start-1 *:row-start-1">
        <div className={cx("grid grid-cols-2 gap-x-4", notice && "invisible")}>
          <ReadOnlyField label={t.userName} name="userName" value={me.displayName} />
          <ReadOnlyField label={t.email} name="email" value={me.email} />
        </div>
        <p role="status" className="grid content-center font-medium text-accent text-sm">
          {notice}
        </p>
      </div>
    </div>
  );
}

/** The notice before the button is pressed. */
function noticeOf({ product, blockReason, isBusy, accepted, changes, error, notice }: Booking): string {
  if (blockReason) return "";
  // Changes of other fields are shown in the overlay.
  if (changes.length > 0 && !isBusy) return t.newPrice(accepted.resalePrice, product.resalePrice);
  return error?.message ?? notice;
}

interface ActionButtonProps {
  booking: Booking;
  button: RefObject<HTMLButtonElement | null>;
  onWait: () => void;
}

/**
 * One button for each BookingAction, so that it keeps the focus; disabled if there is none. The buyer who has the phone
 * does not see it, but it keeps its place.
 */
function BookingActionButton({ booking, button, onWait }: ActionButtonProps) {
  const { product, blockReason, action, isBusy, changes, acceptChanges } = booking;
  const isOwn = blockReason === "held" || blockReason === "paid";
  const isPriceOnly = changes.every((field) => field === "resalePrice");
  const labels = {
    book: t.confirm,
    accept: isPriceOnly ? t.acceptPrice(product.resalePrice) : t.acceptChanges,
    wait: join,
  };
  const onClick = (event: MouseEvent) => {
    if (action === "wait") onWait();
    if (action !== "accept") return;
    // It becomes the submit button at once, and must not submit with the same click.
    event.preventDefault();
    acceptChanges();
  };
  const isOther = action === "accept" || action === "wait";
  return (
    <Button
      ref={button}
      type={isOther ? "button" : "submit"}
      variant={isOther ? "secondary" : "primary"}
      busy={isBusy}
      disabled={action === null}
      onClick={onClick}
      className={cx(isOwn && "invisible")}
    >
      {labels[action ?? "book"]}
    </Button>
  );
}
