import { toApiError } from "@/api/errors";
import type { Product } from "@/api/types";
import { useSaveSearchMutation } from "@/api/watching";
import { EMPTY_QUERY, formatQuery } from "@/lib/productQuery";
import * as t from "@/texts/booking";
import { Button, useToast } from "@/ui";

/** The server's limit for the name of a saved search. */
const MAX_NAME = 120;

/** Saves a search for the phone's brand and name, so that the buyer hears of the next one. */
export function WatchModel({ product: { id, brand, name } }: { product: Product }) {
  const [save, { isLoading, isSuccess }] = useSaveSearchMutation();
  const toast = useToast();
  const model = name.toLowerCase().startsWith(brand.toLowerCase()) ? name : `${brand} ${name}`;
  const watch = async () => {
    const query = formatQuery({ ...EMPTY_QUERY, text: name, brands: [id] });
    const { error } = await save({ name: model.slice(0, MAX_NAME), query });
    if (error) toast(toApiError(error).message, "error");
    else toast(t.modelWatched(model));
  };
  return (
    // Not disabled, so that it keeps the focus.
    <Button size="sm" variant="secondary" onClick={() => !isLoading && !isSuccess && void watch()}>
      {isSuccess ? t.modelSaved : t.watchModel}
    </Button>
  );
}
