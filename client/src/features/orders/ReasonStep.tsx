import { useState } from "react";
import { cleanLines } from "@/lib/cleanText";
import * as t from "@/texts/order";
import { Button, Dialog, Textarea } from "@/ui";
import { Failure } from "./StepForm";
import { useStep } from "./useStep";

interface Props {
  id: string;
  action: keyof typeof t.reasonSteps;
}

/** A step that needs a reason, in a dialog. What was typed is kept when the dialog is closed. */
export function ReasonStep({ id, action }: Props) {
  const { title, lead, label, hint, missing } = t.reasonSteps[action];
  const [isOpen, setOpen] = useState(false);
  const { form, send, failure, isBusy } = useStep(id, ["reason"], { reason: "" });
  const { register, handleSubmit, formState } = form;
  const onSubmit = handleSubmit(({ reason }) => send({ action, reason }));
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={title}>
        <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-4">
          <p>{lead}</p>
          <Textarea
            label={label}
            hint={hint}
            maxLength={1000}
            error={formState.errors.reason?.message}
            {...register("reason", {
              setValueAs: cleanLines,
              validate: (reason) => reason !== "" || missing,
            })}
          />
          <Failure message={failure} />
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={() => setOpen(false)}>
              {t.cancel}
            </Button>
            <Button type="submit" variant="alarm" busy={isBusy}>
              {title}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
