import { useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import { useDispatch } from "react-redux";
import { useConfigQuery } from "@/api/config";
import { useRememberedContact } from "@/api/contact";
import { useSaveDialogDraft } from "@/api/dialogDraft";
import { bookingDialogOpened } from "@/api/dialogSlice";
import type { Product, SignedInUser, WaitPayload } from "@/api/types";
import { useFormErrors } from "@/api/useFormErrors";
import { useOwnWait } from "@/api/waitlist";
import { bookNow } from "@/texts/catalog";
import { dollars } from "@/texts/money";
import * as t from "@/texts/waitlist";
import { Button, Countdown, Thumbnail, useToast } from "@/ui";
import { BuyerContactFields } from "@/ui/BuyerContactFields";
import { BookingBlocked, UNAVAILABLE } from "./BookingBlocked";
import { FormCover } from "./FormCover";
import { FormFooter } from "./FormFooter";
import { useWaiting } from "./useWaiting";

interface Props {
  selected: Product;
  me: SignedInUser;
  /** The values of the draft from before the session ended, or of the form before this one. */
  initialValues: Partial<WaitPayload>;
  /** Another form was shown in the dialog before: its button was removed with the focus. */
  replacesAnotherForm: boolean;
  onDone: () => void;
}

/** The form of the waitlist: what the booking needs when it is the buyer's turn. */
export function WaitForm({ selected, me, initialValues, replacesAnotherForm, onDone }: Props) {
  const { product, isBusy, blockReason, error, join } = useWaiting(selected);
  const form = useForm<WaitPayload>({ defaultValues: { phone: "", location: "", ...initialValues } });
  const { register, handleSubmit, setError, setFocus, getValues, formState } = form;
  const { remember } = useRememberedContact(form);
  const { failure, showError, clearFailure } = useFormErrors(setError, ["phone", "location"]);
  useSaveDialogDraft("wait", me, product, () => ({ ...getValues() }));
  const toast = useToast();
  const dispatch = useDispatch();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!replacesAnotherForm) return;
    if (getValues("phone").trim() === "") setFocus("phone");
    else button.current?.focus();
  }, [replacesAnotherForm, getValues, setFocus]);

  const book = (other: Product) => dispatch(bookingDialogOpened(other, getValues()));
  const submit = async ({ phone, location }: WaitPayload) => {
    clearFailure();
    const result = await join({ phone, location });
    if ("error" in result) return showError(result.error);
    remember({ phone, location });
    toast(t.joined(product.name, result.position));
    onDone();
  };
  const isAvailable = blockReason === "free";
  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      <FormCover
        isCovered={blockReason !== null}
        onUncovered={() => setFocus("phone")}
        cover={<BookingBlocked reason={blockReason} of={product} message={error?.message} onChoose={book} />}
      >
        <Terms product={product} />
        <BuyerContactFields register={register} errors={formState.errors} />
      </FormCover>
      <p role="alert" className="font-medium text-danger text-sm empty:hidden">
        {blockReason === null && failure}
      </p>
      <FormFooter modelToWatch={UNAVAILABLE.has(blockReason) && product}>
        {/* One button, so that it keeps the focus. */}
        <Button
          ref={button}
          type={isAvailable ? "button" : "submit"}
          variant={isAvailable ? "secondary" : "primary"}
          busy={isBusy}
          disabled={blockReason !== null && !isAvailable}
          onClick={() => isAvailable && book(product)}
        >
          {isAvailable ? bookNow : t.join}
        </Button>
      </FormFooter>
    </form>
  );
}

/** The phone, the place that the buyer would have, and what happens at their turn. */
function Terms({ product }: { product: Product }) {
  const { data } = useConfigQuery();
  const { heldUntil, waiting = 0 } = product;
  const wait = useOwnWait(product._id);
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-4">
        <Thumbnail product={product} eager />
        <p className="grid min-w-0">
          <span className="truncate font-semibold">{product.name}</span>
          <span className="font-extrabold text-lg tabular-nums">{dollars(product.resalePrice)}</span>
        </p>
      </div>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span role="status" className="font-bold">
          {wait ? t.joined(product.name, wait.position) : t.willBe(waiting + 1)}
        </span>
        {heldUntil && (
          <span className="text-muted text-sm">
            <span>{t.onHold}</span> <Countdown until={heldUntil} className="" />
          </span>
        )}
      </p>
      <p className="text-muted text-sm">{t.rule(data?.turn)}</p>
    </div>
  );
}
