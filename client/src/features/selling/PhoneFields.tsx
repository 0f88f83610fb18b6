import type { UseFormReturn } from "react-hook-form";
import { type Brand, CONDITIONS } from "@/api/types";
import { Field, Select, Textarea } from "@/ui";
import { PhotoField } from "./PhotoField";
import type { Progress } from "./photos";
import { checkPrice, PRICE_MAX, PRICE_MIN, required } from "./rules";
import type { Typed } from "./useAddProduct";

interface Props {
  form: UseFormReturn<Typed>;
  brands: Brand[];
  /** How far the photographs have come. */
  progress: Progress;
}

/** The part of the form that is about the phone itself. */
export function PhoneFields({ form, brands, progress }: Props) {
  const { register, watch, formState } = form;
  const { errors } = formState;
  const brandId = brands.find(({ name }) => name === watch("brand"))?._id ?? "";
  const price = { type: "number", inputMode: "numeric", min: PRICE_MIN, max: PRICE_MAX, step: 1 } as const;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="Name"
        error={errors.name?.message}
        {...register("name", { validate: required("Name") })}
      />
      <Select
        label="Brand"
        error={errors.brand?.message}
        {...register("brand", { validate: required("Brand") })}
      >
        <option value="">Choose a brand</option>
        {brands.map(({ _id, name }) => (
          <option key={_id} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <input type="hidden" name="id" value={brandId} />
      <Field
        label="Original Price"
        {...price}
        error={errors.originalPrice?.message}
        {...register("originalPrice", { validate: checkPrice })}
      />
      <Field
        label="Resale Price"
        {...price}
        error={errors.resalePrice?.message}
        {...register("resalePrice", { validate: checkPrice })}
      />
      <Select
        label="Condition"
        error={errors.productCondition?.message}
        {...register("productCondition", { validate: required("Condition") })}
      >
        <option value="">Choose a condition</option>
        {CONDITIONS.map((condition) => (
          <option key={condition}>{condition}</option>
        ))}
      </Select>
      <Field
        label="Used Time"
        placeholder="2 years"
        error={errors.usedTime?.message}
        {...register("usedTime", { validate: required("Used Time") })}
      />
      <div className="sm:col-span-2">
        <Textarea
          label="Description"
          error={errors.description?.message}
          {...register("description", { validate: required("Description") })}
        />
      </div>
      <Field
        label="Date"
        hint="The posting date on the card"
        type="date"
        error={errors.selling_post_date?.message}
        {...register("selling_post_date", { validate: required("Date") })}
      />
      <PhotoField form={form} progress={progress} />
    </div>
  );
}
