import { useState } from "react";
import { useForm } from "react-hook-form";
import { toApiError } from "@/api/errors";
import type { Decision } from "@/api/types";
import { useFormErrors } from "@/api/useFormErrors";
import { cleanLines } from "@/lib/cleanText";
import * as t from "@/texts/decisions";
import { Button, Dialog, Textarea, useToast } from "@/ui";
import { useAppealDecisionMutation } from "./endpoints";

/** The button that asks to look again at a decision, and its dialog. What was typed is kept when the dialog is closed. */
export function LookAgain({ decision }: { decision: Decision }) {
  const [isOpen, setOpen] = useState(false);
  const [appeal] = useAppealDecisionMutation();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { text: "" } });
  const { failure, showError, clearFailure } = useFormErrors(setError, ["text"]);
  const toast = useToast();
  const close = () => setOpen(false);
  const onSubmit = async ({ text }: { text: string }) => {
    clearFailure();
    const { error } = await appeal({ id: decision._id, text });
    if (error) return showError(toApiError(error));
    toast(t.sent);
    close();
  };
  return (
    <>
      <Button variant="secondary" title={t.lookAgainOf(t.whatOf(decision))} onClick={() => setOpen(true)}>
        {t.lookAgain}
      </Button>
      <Dialog open={isOpen} title={t.lookAgain} onClose={close}>
        <form noValidate onSubmit={(event) => void handleSubmit(onSubmit)(event)} className="grid gap-4">
          <Textarea
            label={t.yourText}
            hint={t.textHint}
            rows={6}
            maxLength={2000}
            error={formState.errors.text?.message}
            {...register("text", {
              setValueAs: cleanLines,
              validate: (text) => text !== "" || t.textMissing,
            })}
          />
          {failure && (
            <p role="alert" className="font-medium text-danger text-sm">
              {failure}
            </p>
          )}
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={close}>
              {t.cancel}
            </Button>
            <Button type="submit" busy={formState.isSubmitting}>
              {t.send}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
