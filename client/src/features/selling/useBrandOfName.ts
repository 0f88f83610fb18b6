import type { UseFormReturn } from "react-hook-form";
import { useLazyBrandsOfNameQuery } from "./endpoints";
import type { FormValues } from "./formValues";

/** Chooses the brand that all phones here with the typed name have, once a name is typed and while none is chosen. */
export function useBrandOfName({ getValues, setValue, formState }: UseFormReturn<FormValues>) {
  const [find] = useLazyBrandsOfNameQuery();
  const { isSubmitted } = formState;
  return async () => {
    const { name, brand } = getValues();
    if (name.trim() === "" || brand !== "") return;
    const { data: brands = [] } = await find(name, true);
    const [found] = brands;
    const isSame = getValues("name") === name && getValues("brand") === "";
    if (brands.length === 1 && found && isSame) setValue("brand", found, { shouldValidate: isSubmitted });
  };
}
