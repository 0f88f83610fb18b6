import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { type ApiError, toApiError } from "@/api/errors";
import type { Uploads } from "@/api/images/uploads";
import type { Product, SignedInUser } from "@/api/types";
import type { UploadStates } from "@/lib/uploadState";
import { deleteEditDraft, saveEditDraft } from "./draft";
import { useChangeProductMutation } from "./endpoints";
import { awaitUploads, showFieldErrors } from "./formErrors";
import { type EditableField, type FormValues, rebase, toFormValues, toProductChange } from "./formValues";

/** The number of attempts to save after conflicts with changes of other fields. */
const MAX_ATTEMPTS = 3;

interface EditPhoneOptions {
  form: UseFormReturn<FormValues>;
  me: SignedInUser;
  product: Product;
  /** The phone from which the form's initial values were changed. */
  initialBase: Product;
  uploads: Uploads;
  uploadStates: UploadStates;
  refetch: () => Promise<Product | null>;
}

/** The result of saving. */
type SaveResult = "saved" | "unchanged" | "notSaved";

/**
 * Keeps a form up to date with its phone. Fields that the seller has not edited follow the phone. Fields that were changed
 * in both are `conflicts`: they keep the seller's value until the seller chooses.
 */
function useRebasedForm(form: UseFormReturn<FormValues>, product: Product, initialBase: Product) {
  /** The phone on which the form's values are based. */
  const base = useRef(initialBase);
  const [conflicts, setConflicts] = useState<EditableField[]>([]);
  /** Set when a conflict appears. */
  const hasNewConflict = useRef(false);

  /** Rebases the form on the current phone. */
  const applyProduct = (now: Product): void => {
    if (now.version <= base.current.version) return;
    const { applied, conflicts: newConflicts } = rebase(base.current, form.getValues(), now);
    base.current = now;
    form.setValues(applied);
    if (newConflicts.length === 0) return;
    hasNewConflict.current = true;
    setConflicts((before) => [...new Set([...before, ...newConflicts])]);
  };
  const applyLiveProduct = useEffectEvent(applyProduct);
  useEffect(() => void applyLiveProduct(product), [product]);

  /** Discards the seller's changes. */
  const restart = () => {
    base.current = product;
    setConflicts([]);
    form.reset(toFormValues(product));
  };

  /** Resolves a conflict with the value that was saved elsewhere. */
  const acceptSavedValue = (field: EditableField) => {
    form.setValues({ [field]: toFormValues(base.current)[field] });
    setConflicts((before) => before.filter((other) => other !== field));
  };
  return { base, conflicts, hasNewConflict, applyProduct, restart, acceptSavedValue };
}

/**
 * Edits a phone that may be changed elsewhere meanwhile: in another tab, or when an admin verifies the seller. Saving again
 * after a conflict overwrites the other value.
 */
export function useEditPhone({
  form,
  me,
  product,
  initialBase,
  uploads,
  uploadStates,
  refetch,
}: EditPhoneOptions) {
  const [change] = useChangeProductMutation();
  const [error, setError] = useState<ApiError | null>(null);
  const rebased = useRebasedForm(form, product, initialBase);
  const { base, conflicts, hasNewConflict, applyProduct, acceptSavedValue } = rebased;

  const now = useWatch({ control: form.control });
  useEffect(
    () => saveEditDraft(me, base.current, now as FormValues, uploadStates),
    [me, base, now, uploadStates],
  );
  /** Resets the form and deletes the stored changes. */
  const reset = () => {
    rebased.restart();
    deleteEditDraft(product._id);
  };

  const save = async (values: FormValues): Promise<SaveResult> => {
    setError(null);
    hasNewConflict.current = false;
    if (!(await awaitUploads(form, uploads))) return "notSaved";
    for (let attempts = MAX_ATTEMPTS, mine = values; ; attempts -= 1, mine = form.getValues()) {
      // The seller has to see the conflict before the other value is overwritten.
      if (hasNewConflict.current) return "notSaved";
      const body = toProductChange(base.current, mine, uploads.getSnapshot());
      if (!body) return "unchanged";
      const { error: reason } = await change({ id: product._id, ...body });
      if (!reason) {
        deleteEditDraft(product._id);
        return "saved";
      }
      const apiError = toApiError(reason);
      const now = apiError.code === "conflict" || apiError.code === "held" ? await refetch() : null;
      if (now) applyProduct(now);
      if (apiError.code === "conflict" && now && attempts > 1) continue;
      setError(apiError);
      showFieldErrors(form, apiError);
      return "notSaved";
    }
  };
  return { save, error, conflicts, acceptSavedValue, reset };
}
