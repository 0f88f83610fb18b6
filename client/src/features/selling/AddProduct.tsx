import { useState } from "react";
import { type FieldPath, type UseFormReturn, useForm } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { type ApiError, messageOf } from "@/api/errors";
import { useMe } from "@/api/me";
import type { SignedInUser } from "@/api/types";
import { Button, ErrorState, Field, useToast } from "@/ui";
import { useProductBrandsQuery } from "./endpoints";
import { PhoneFields } from "./PhoneFields";
import { required, today } from "./rules";
import { type Typed, useAddProduct } from "./useAddProduct";

const EMPTY: Typed = {
  name: "",
  brand: "",
  originalPrice: "",
  resalePrice: "",
  productCondition: "",
  usedTime: "",
  description: "",
  location: "",
  phone: "",
  selling_post_date: "",
  image: [],
};

/** /dashboard/addProduct: lists a phone for sale. What was typed stays until that has worked. */
export default function AddProduct() {
  const me = useMe();
  const brands = useProductBrandsQuery();
  const { submit, busy, progress } = useAddProduct();
  const [failure, setFailure] = useState<ApiError | null>(null);
  const form = useForm<Typed>({ defaultValues: { ...EMPTY, selling_post_date: today() } });
  const toast = useToast();
  const navigate = useNavigate();

  const send = form.handleSubmit(async (typed) => {
    const brand = brands.data?.find(({ name }) => name === typed.brand);
    if (!brand || !me) return;
    setFailure(null);
    const error = await submit(typed, brand, me);
    if (!error) {
      toast("Product Added Successfully");
      navigate("/dashboard/myProducts");
      return;
    }
    setFailure(error);
    for (const [name, message] of Object.entries(error.fields ?? {})) {
      const field = FIELD_OF[name] ?? name;
      if (field in EMPTY) form.setError(field as FieldPath<Typed>, { message });
    }
  });

  return (
    <section aria-labelledby="add-title" className="max-w-3xl">
      <h2 id="add-title" className="mb-5 font-bold text-2xl">
        Add A Product
      </h2>
      {brands.isError && (
        <ErrorState message={messageOf(brands.error)} onRetry={brands.refetch} busy={brands.isFetching} />
      )}
      <form noValidate className="mt-2 grid gap-5" onSubmit={(event) => void send(event)}>
        <PhoneFields form={form} brands={brands.data ?? []} progress={progress} />
        <SellerFields form={form} me={me} />
        {failure && <ErrorState message={wordsOf(failure)} onRetry={() => void send()} busy={busy} />}
        <Button type="submit" busy={busy} className="justify-self-start">
          Add Product
        </Button>
      </form>
    </section>
  );
}

/**
 * Who sells, and where. A component of its own so that its controls register after the phone's: in that
 * order the first one that is wrong gets the focus.
 */
function SellerFields({ form, me }: { form: UseFormReturn<Typed>; me: SignedInUser | null }) {
  const { register, formState } = form;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Seller Name" name="sellerName" value={me?.displayName ?? ""} readOnly />
      <Field label="Email" name="email" type="email" value={me?.email ?? ""} readOnly />
      <Field
        label="Location"
        error={formState.errors.location?.message}
        {...register("location", { validate: required("Location") })}
      />
      <Field
        label="Phone"
        type="tel"
        autoComplete="tel"
        error={formState.errors.phone?.message}
        {...register("phone", { validate: required("Phone") })}
      />
    </div>
  );
}

/** Payload fields that another control stands for. */
const FIELD_OF: Record<string, string> = { id: "brand", img: "image", photos: "image" };

/** The failure in words; fields without a control of their own to stand at are told here. */
function wordsOf({ message, fields = {} }: ApiError): string {
  const homeless = Object.entries(fields).filter(([name]) => !((FIELD_OF[name] ?? name) in EMPTY));
  return [message, ...homeless.map(([name, what]) => `${name}: ${what}`)].join(" · ");
}
