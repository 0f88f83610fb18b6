import type { UseFormReturn } from "react-hook-form";
import type { Brand } from "@/api/types";
import { cleanLine, cleanLines } from "@/lib/cleanText";
import { CONDITIONS } from "@/lib/productRules";
import * as t from "@/texts/selling";
import { Field, Select, Textarea } from "@/ui";
import { DeliveryFields } from "./DeliveryFields";
import { useBrandPhonesQuery } from "./endpoints";
import type { FormValues } from "./formValues";
import { namesOf, pricesOfLike } from "./listedHere";
import { Prices } from "./Prices";
import { useBrandOfName } from "./useBrandOfName";
import { required } from "./validation";

/** The sizes that phones are sold with, GB. */
const STORAGE_SIZES = [8, 16, 32, 64, 128, 256, 512, 1024];

/** The sizes to choose from, including the phone's own. */
function storageOptions(own: string): number[] {
  return [...new Set([...STORAGE_SIZES, Number(own)])].filter(Boolean).sort((a, b) => a - b);
}

interface Props {
  form: UseFormReturn<FormValues>;
  /** The _id of the phone's brand; "" until it is chosen. */
  brandId: string;
  /** The brands to choose from; without them the brand can't be changed. */
  brands?: Brand[];
}

/** The fields of the phone, without the photos. */
export function PhoneFields({ form, brandId, brands }: Props) {
  const { register, watch, formState } = form;
  const { errors } = formState;
  const { currentData: phones = [] } = useBrandPhonesQuery(brandId, { skip: brandId === "" });
  const [name, brand, storage] = watch(["name", "brand", "storage"]);
  const chooseBrand = useBrandOfName(form);
  return (
    <>
      <div className={brands ? undefined : "sm:col-span-2"}>
        <Field
          label={t.labels.name}
          autoComplete="off"
          autoCapitalize="words"
          maxLength={120}
          list="names-here"
          error={errors.name?.message}
          {...register("name", {
            setValueAs: cleanLine,
            validate: required(t.labels.name),
            onBlur: () => void chooseBrand(),
          })}
        />
        <Suggestions id="names-here" texts={namesOf(phones)} />
      </div>
      {brands && <BrandField form={form} brands={brands} brandId={brandId} />}
      <Select label={t.labels.storage} error={errors.storage?.message} {...register("storage")}>
        <option value="">{t.storageNotSpecified}</option>
        {storageOptions(storage).map((gigabytes) => (
          <option key={gigabytes} value={gigabytes}>
            {t.gigabytes(gigabytes)}
          </option>
        ))}
      </Select>
      <Select
        label={t.labels.productCondition}
        hint={t.conditionHint(watch("productCondition"))}
        error={errors.productCondition?.message}
        {...register("productCondition", { validate: required(t.labels.productCondition) })}
      >
        <option value="">{t.chooseCondition}</option>
        {CONDITIONS.map((condition) => (
          <option key={condition}>{condition}</option>
        ))}
      </Select>
      <Prices form={form} listed={pricesOfLike(phones, { name, brand, storage: Number(storage) })} />
      <Field
        label={t.labels.usedTime}
        placeholder={t.usedTimeExample}
        autoComplete="off"
        maxLength={120}
        list="used-times"
        error={errors.usedTime?.message}
        {...register("usedTime", { setValueAs: cleanLine, validate: required(t.labels.usedTime) })}
      />
      <Suggestions id="used-times" texts={t.usedTimes} />
      <Field
        label={t.labels.colour}
        placeholder={t.colourExample}
        autoComplete="off"
        maxLength={40}
        error={errors.colour?.message}
        {...register("colour", { setValueAs: cleanLine })}
      />
      <div className="sm:col-span-2">
        <Textarea
          label={t.labels.description}
          hint={t.descriptionHint}
          maxLength={4000}
          error={errors.description?.message}
          {...register("description", { setValueAs: cleanLines, validate: required(t.labels.description) })}
        />
      </div>
      <DeliveryFields form={form} />
    </>
  );
}

/** What a text field suggests, while nothing or the beginning of it is typed. */
function Suggestions({ id, texts }: { id: string; texts: readonly string[] }) {
  return (
    <datalist id={id}>
      {texts.map((text) => (
        <option key={text} value={text} />
      ))}
    </datalist>
  );
}

/** The select for the brand, which sets brand and id. */
function BrandField({ form, brands, brandId }: Required<Props>) {
  const { register, watch, formState } = form;
  const selected = watch("brand");
  // The brand of a draft is an option before the brands are loaded; otherwise the browser would reset the select.
  const names = brands.length === 0 && selected !== "" ? [selected] : brands.map(({ name }) => name);
  return (
    <>
      <Select
        label={t.labels.brand}
        error={formState.errors.brand?.message}
        {...register("brand", { validate: required(t.labels.brand) })}
      >
        <option value="">{t.chooseBrand}</option>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <input type="hidden" name="id" value={brandId} />
    </>
  );
}
