import { useForm } from "react-hook-form";
import { toApiError } from "@/api/errors";
import { useSaveSearchMutation } from "@/api/watching";
import { cleanLine } from "@/lib/cleanText";
import { formatQuery, parseQuery, type Query } from "@/lib/productQuery";
import * as t from "@/texts/watching";
import { Button, Dialog, Field, useToast } from "@/ui";
import type { PhonesArg } from "../phoneList";

interface Props {
  arg: PhonesArg;
  /** The query that the server made of it. */
  searched: Query | undefined;
  onClose: () => void;
}

/** Asks for the name of a search, and saves the query that was made. The search's own words are suggested. */
export default function SaveSearchDialog({ arg: { brand, queryString }, searched, onClose }: Props) {
  const [save, { isLoading }] = useSaveSearchMutation();
  const toast = useToast();
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { name: parseQuery(queryString).text || t.anyPhone },
  });
  const submit = async ({ name }: { name: string }) => {
    const made = searched ? formatQuery(searched) : queryString;
    const query = [made, brand && `brand=${encodeURIComponent(brand)}`].filter(Boolean).join("&");
    const { error } = await save({ name, query });
    if (!error) {
      toast(t.searchSaved);
      onClose();
      return;
    }
    const { message, fields } = toApiError(error);
    if (fields?.name) setError("name", { message: fields.name }, { shouldFocus: true });
    else toast(message, "error");
  };
  return (
    <Dialog open onClose={onClose} title={t.saveTitle}>
      <form className="grid gap-5" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        <Field
          label={t.searchName}
          hint={t.seeSearches}
          maxLength={120}
          error={formState.errors.name?.message}
          {...register("name", { setValueAs: cleanLine })}
        />
        <Button type="submit" busy={isLoading}>
          {t.save}
        </Button>
      </form>
    </Dialog>
  );
}
