import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { type ApiError, toApiError } from "@/api/errors";
import type { Product, SignedInUser } from "@/api/types";
import { forgetEdit, keepEdit } from "./draft";
import { useChangeProductMutation } from "./endpoints";
import { showFieldErrors, waitForUploads } from "./formErrors";
import { changeOf, type Editable, type FormValues, formValuesOf, rebase } from "./formValues";
import type { UploadStates, Uploads } from "./uploads";

/** How often a change is made anew because the phone has moved on, in a way that does not touch it. */
const TRIES = 3;

interface Args {
  form: UseFormReturn<FormValues>;
  me: SignedInUser;
  product: Product;
  /** The phone as it was when the form's values were typed. */
  typedFor: Product;
  uploads: Uploads;
  sendings: UploadStates;
  refetch: () => Promise<Product | null>;
}

/** What saving came to. */
export type Outcome = "saved" | "same" | "not";

/**
 * Changes a phone that others may change meanwhile: in another window, or by verifying its seller. What the
 * seller has not touched follows the phone; what both have changed is `contested`, and stays as the seller
 * typed it until they say which they want. Saving once more then means: mine.
 */
export function useEditPhone({ form, me, product, typedFor, uploads, sendings, refetch }: Args) {
  const [change] = useChangeProductMutation();
  const base = useRef(typedFor);
  const [contested, setContested] = useState<Editable[]>([]);
  const [failure, setFailure] = useState<ApiError | null>(null);
  /** Something has become contested since saving began: it has to be seen before it is overwritten. */
  const unseen = useRef(false);

  /** Brings the form to the phone as it is now. */
  const follow = (now: Product): void => {
    if (now.version <= base.current.version) return;
    const { applied, conflicts: fresh } = rebase(base.current, form.getValues(), now);
    base.current = now;
    for (const [field, value] of Object.entries(applied)) form.setValue(field as Editable, value as never);
    if (fresh.length === 0) return;
    unseen.current = true;
    setContested((before) => [...new Set([...before, ...fresh])]);
  };
  const followLive = useEffectEvent(follow);
  useEffect(() => void followLive(product), [product]);

  const now = useWatch({ control: form.control });
  useEffect(() => keepEdit(me, base.current, now as FormValues, sendings), [me, now, sendings]);
  /** Forgets what was typed, here and in this tab. */
  const startAnew = () => {
    base.current = product;
    setContested([]);
    form.reset(formValuesOf(product));
    forgetEdit(product._id);
  };

  const save = async (typed: FormValues): Promise<Outcome> => {
    setFailure(null);
    unseen.current = false;
    if (!(await waitForUploads(form, uploads))) return "not";
    for (let tries = TRIES, mine = typed; ; tries -= 1, mine = form.getValues()) {
      if (unseen.current) return "not";
      const different = changeOf(base.current, mine, uploads.snapshot());
      if (!different) return "same";
      const { error } = await change({ id: product._id, ...different });
      if (!error) {
        forgetEdit(product._id);
        return "saved";
      }
      const wrong = toApiError(error);
      const now = wrong.code === "conflict" || wrong.code === "held" ? await refetch() : null;
      if (now) follow(now);
      if (wrong.code === "conflict" && now && tries > 1) continue;
      setFailure(wrong);
      showFieldErrors(form, wrong);
      return "not";
    }
  };

  /** Takes what was saved elsewhere for a contested field. */
  const take = (field: Editable) => {
    form.setValue(field, formValuesOf(base.current)[field] as never);
    setContested((before) => before.filter((other) => other !== field));
  };
  return { save, failure, contested, take, startAnew };
}
