import { useEffect, useRef, useState } from "react";
import type { DefaultValues, FieldValues, Path, UseFormReturn } from "react-hook-form";
import type { FulfilmentRequest } from "@/api/types";
import * as t from "@/texts/order";
import { Button, ConfirmDialog } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { StepHead, stepCardClass } from "./StepCard";
import { useStep } from "./useStep";

interface Props<V extends FieldValues> {
  id: string;
  title: string;
  lead: string;
  /** The button's text; it may depend on what is filled in. */
  submit: string | ((values: V) => string);
  /** The confirmation before the step is sent; for a step that can't be undone. */
  question?: string | ((values: V) => string);
  /** What the step does; shown in the confirmation. */
  consequence?: (values: V) => string;
  names: Path<V>[];
  defaultValues: DefaultValues<V>;
  /** The form is filled in: the button gets the focus. */
  isFilled?: boolean;
  stepOf: (values: V) => FulfilmentRequest;
  children: (form: UseFormReturn<V>) => Elements;
}

/** The form of a step, in a card. */
export function StepForm<V extends FieldValues>(props: Props<V>) {
  const { id, title, lead, submit, question, consequence, names, defaultValues, stepOf, children } = props;
  const { form, send, failure, isBusy } = useStep(id, names, defaultValues);
  const [asked, setAsked] = useState<V | null>(null);
  const button = useFocusedWhen(props.isFilled);
  const answer = async (values: V) => {
    await send(stepOf(values));
    setAsked(null);
  };
  const onSubmit = (values: V) => (question ? setAsked(values) : answer(values));
  return (
    <form
      noValidate
      aria-label={title}
      onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}
      className={stepCardClass}
    >
      <StepHead title={title} lead={lead} />
      {children(form)}
      <Failure message={failure} />
      <Button ref={button} type="submit" busy={isBusy} className="justify-self-start wrap-anywhere">
        {textOf(submit, form.watch())}
      </Button>
      <ConfirmDialog
        open={asked !== null}
        title={asked && question ? textOf(question, asked) : ""}
        confirmLabel={asked ? textOf(submit, asked) : ""}
        confirmVariant="primary"
        cancelLabel={t.cancel}
        busy={isBusy}
        onConfirm={() => asked && void answer(asked)}
        onCancel={() => setAsked(null)}
      >
        {asked && consequence && <p className="wrap-anywhere">{consequence(asked)}</p>}
      </ConfirmDialog>
    </form>
  );
}

const textOf = <V,>(text: string | ((values: V) => string), values: V) =>
  typeof text === "string" ? text : text(values);

/** The error of a step that is not the error of a field. */
export function Failure({ message }: { message: string | null }) {
  if (!message) return null;
  return (
    <p role="alert" className="font-medium text-danger text-sm">
      {message}
    </p>
  );
}

function useFocusedWhen(isFilled = false) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFilled) button.current?.focus();
  }, [isFilled]);
  return button;
}
