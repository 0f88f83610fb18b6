import { useState } from "react";
import * as t from "@/texts/order";
import { Button, Dialog, useToast } from "@/ui";
import { CarrierFields, type CarrierValues } from "./CarrierFields";
import { Failure } from "./StepForm";
import { useStep } from "./useStep";

interface Props {
  id: string;
  /** The values that the buyer sees now. */
  values: CarrierValues;
}

/** The seller corrects the carrier or the tracking number of a phone that is on its way, in a dialog. */
export function CorrectTracking(props: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
        {t.correctTracking}
      </Button>
      <Dialog open={isOpen} onClose={close} title={t.correctTracking}>
        <CorrectionForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

function CorrectionForm({ id, values, onClose }: Props & { onClose: () => void }) {
  const { form, send, failure, isBusy } = useStep<CarrierValues>(id, ["carrier", "tracking"], values);
  const toast = useToast();
  const onSubmit = form.handleSubmit(async (corrected) => {
    if (corrected.carrier === values.carrier && corrected.tracking === values.tracking) {
      form.setError("tracking", { message: t.trackingUnchanged }, { shouldFocus: true });
      return;
    }
    if (!(await send({ action: "send", ...corrected }))) return;
    onClose();
    toast(t.trackingCorrected);
  });
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-4">
      <p>{t.correctTrackingLead}</p>
      <CarrierFields {...form} />
      <Failure message={failure} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          {t.cancel}
        </Button>
        <Button type="submit" busy={isBusy}>
          {t.correct}
        </Button>
      </div>
    </form>
  );
}
