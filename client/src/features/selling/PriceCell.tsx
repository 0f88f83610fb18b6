import { useState } from "react";
import { useForm } from "react-hook-form";
import { toApiError } from "@/api/errors";
import type { Product } from "@/api/types";
import { money } from "@/lib/money";
import { Button, Dialog, Field, useToast } from "@/ui";
import { useChangePriceMutation } from "./endpoints";
import { checkPrice } from "./rules";

/** The resale price; while the phone is not booked, with a way to change it. */
export function PriceCell({ product }: { product: Product }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2 @4xl:w-34">
      <span className="font-semibold tabular-nums">{money(product.resalePrice)}</span>
      {!product.booked && (
        <Button
          size="sm"
          variant="quiet"
          aria-label={`Change the price of ${product.name}`}
          onClick={() => setOpen(true)}
        >
          Change
        </Button>
      )}
      <Dialog open={open} onClose={() => setOpen(false)} title={`Price of ${product.name}`}>
        <PriceForm product={product} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

function PriceForm({ product, onDone }: { product: Product; onDone: () => void }) {
  const [change, { isLoading }] = useChangePriceMutation();
  const toast = useToast();
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { resalePrice: String(product.resalePrice) },
  });
  const save = handleSubmit(async ({ resalePrice }) => {
    const { error } = await change({ id: product._id, resalePrice: Number(resalePrice) });
    if (error) {
      const { message, fields } = toApiError(error);
      setError("resalePrice", { message: fields?.resalePrice ?? message });
      return;
    }
    toast("Price Changed");
    onDone();
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void save(event)}>
      <Field
        label="Resale Price"
        hint="Whole US dollars"
        type="number"
        inputMode="numeric"
        step={1}
        error={formState.errors.resalePrice?.message}
        {...register("resalePrice", { validate: checkPrice })}
      />
      <Button type="submit" busy={isLoading}>
        Save
      </Button>
    </form>
  );
}
