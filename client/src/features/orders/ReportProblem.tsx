import { useState } from "react";
import { cleanLines } from "@/lib/cleanText";
import * as t from "@/texts/order";
import { Button, Dialog, Textarea } from "@/ui";
import { Failure } from "./StepForm";
import { useStep } from "./useStep";

/** The buyer reports a problem, in a dialog. What was typed is kept when the dialog is closed. */
export function ReportProblem({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const { form, send, failure, isBusy } = useStep(id, ["reason"], { reason: "" });
  const { register, handleSubmit, formState } = form;
  const onSubmit = handleSubmit(({ reason }) => send({ action: "problem", reason }));
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {t.reportProblem}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t.reportProblem}>
        <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-4">
          <p>{t.problemLead}</p>
          <Textarea
            label={t.whatIsWrong}
            hint={t.whatIsWrongHint}
            maxLength={1000}
            error={formState.errors.reason?.message}
            {...register("reason", {
              setValueAs: cleanLines,
              validate: (reason) => reason !== "" || t.problemRequired,
            })}
          />
          <Failure message={failure} />
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={() => setOpen(false)}>
              {t.cancel}
            </Button>
            <Button type="submit" variant="alarm" busy={isBusy}>
              {t.reportProblem}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
