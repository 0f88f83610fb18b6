import { useForm } from "react-hook-form";
import { useConfigQuery } from "@/api/config";
import { useRememberedContact } from "@/api/contact";
import { toApiError } from "@/api/errors";
import type { Product } from "@/api/types";
import { useFormErrors } from "@/api/useFormErrors";
import { cleanLines } from "@/lib/cleanText";
import { parseDollars } from "@/lib/dollars";
import { newFormKey } from "@/lib/formKey";
import * as t from "@/texts/messages";
import { Button, Field, Textarea, useToast } from "@/ui";
import { BuyerContactFields } from "@/ui/BuyerContactFields";
import { useMakeOfferMutation } from "./endpoints";

interface Values {
  price: string;
  phone: string;
  location: string;
  text: string;
}

interface Props {
  product: Product;
  onSent: (threadId: string) => void;
  onCancel: () => void;
}

/** The form of an offer: the price, and what the booking needs if the seller accepts it. */
export function OfferForm({ product, onSent, onCancel }: Props) {
  const [makeOffer, { isLoading }] = useMakeOfferMutation();
  const form = useForm<Values & { key: string; confirmed: boolean }>({
    defaultValues: { price: "", phone: "", location: "", text: "", key: newFormKey(), confirmed: false },
  });
  const { register, handleSubmit, setError, setValue, formState } = form;
  const { remember } = useRememberedContact(form);
  const { failure, showError, clearFailure } = useFormErrors(setError, [
    "price",
    "phone",
    "location",
    "text",
  ]);
  const { data } = useConfigQuery();
  const toast = useToast();
  const [least, most] = [Math.ceil(product.resalePrice / 2), product.resalePrice - 1];
  const checkPrice = (typed: string) => {
    if (typed.trim() === "") return t.priceRequired;
    const price = parseDollars(typed);
    return (typeof price === "number" && price >= least && price <= most) || t.priceHint(least, most);
  };
  const submit = async ({
    price,
    phone,
    location,
    text,
    key,
    confirmed,
  }: Values & { key: string; confirmed: boolean }) => {
    clearFailure();
    const amount = Number(parseDollars(price));
    const { data: made, error } = await makeOffer({
      productID: product._id,
      price: amount,
      phone,
      location,
      text,
      key,
      confirm: confirmed,
    });
    if (!made) {
      const refused = toApiError(error);
      // Sent once more, it is confirmed.
      if (refused.code === "contact_warning") setValue("confirmed", true);
      return showError(refused);
    }
    remember({ phone, location });
    toast(t.offerSent(amount));
    onSent(made.threadId);
  };
  return (
    <form className="grid max-w-md gap-4" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      <Field
        label={t.yourPrice}
        hint={t.priceHint(least, most)}
        affix="$"
        inputMode="numeric"
        autoFocus
        error={formState.errors.price?.message}
        {...register("price", { validate: checkPrice })}
      />
      <BuyerContactFields register={register} errors={formState.errors} />
      <Textarea
        label={t.offerText}
        rows={2}
        error={formState.errors.text?.message}
        {...register("text", { setValueAs: cleanLines, onChange: () => setValue("confirmed", false) })}
      />
      {data && <p className="text-muted text-sm">{t.offerRule(Math.round(data.offerHold / 3600))}</p>}
      <p role="alert" className="font-medium text-danger text-sm empty:hidden">
        {failure}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isLoading}>
          {t.sendOffer}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t.cancel}
        </Button>
      </div>
    </form>
  );
}
