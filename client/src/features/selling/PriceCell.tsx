import { useState } from "react";
import { useForm } from "react-hook-form";
import { toApiError } from "@/api/errors";
import type { Product } from "@/api/types";
import { dollars } from "@/texts/money";
import * as t from "@/texts/selling";
import { Button, Dialog, Field, useToast } from "@/ui";
import { useChangeProductMutation } from "./endpoints";
import { PRICE_INPUT_PROPS } from "./Prices";
import { checkPrice, priceOf } from "./validation";

/** The resale price, with a button that changes it while the phone is not booked. */
export function PriceCell({ product }: { product: Product }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2 @4xl:w-42">
      <span className="min-w-18 font-semibold tabular-nums">{dollars(product.resalePrice)}</span>
      {!product.booked && (
        <Button
          size="sm"
          variant="quiet"
          aria-label={t.changePriceOf(product.name)}
          onClick={() => setOpen(true)}
        >
          {t.change}
        </Button>
      )}
      <Dialog open={open} onClose={() => setOpen(false)} title={t.priceOf(product.name)}>
        <PriceForm product={product} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

function PriceForm({ product, onDone }: { product: Product; onDone: () => void }) {
  const [change, { isLoading }] = useChangeProductMutation();
  const toast = useToast();
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { resalePrice: String(product.resalePrice) },
  });
  const save = handleSubmit(async ({ resalePrice }) => {
    if (priceOf(resalePrice) === product.resalePrice) return onDone();
    const { error } = await change({ id: product._id, resalePrice: priceOf(resalePrice) });
    if (error) {
      const { message, fields } = toApiError(error);
      setError("resalePrice", { message: fields?.resalePrice ?? message });
      return;
    }
    toast(t.priceChanged);
    onDone();
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void save(event)}>
      <Field
        label={t.labels.resalePrice}
        hint={t.priceHint}
        {...PRICE_INPUT_PROPS}
        error={formState.errors.resalePrice?.message}
        {...register("resalePrice", { validate: checkPrice })}
      />
      <Button type="submit" busy={isLoading}>
        {t.save}
      </Button>
    </form>
  );
}
