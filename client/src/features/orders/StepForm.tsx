import { type ReactNode, useState } from "react";
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import { toApiError } from "@/api/errors";
import { useFormErrors } from "@/api/useFormErrors";
import { Button, ConfirmDialog } from "@/ui";
import { type Step, useFulfilMutation } from "./orderEndpoints";

interface Props<V extends FieldValues> {
  id: string;
  title: string;
  lead?: string;
  submit: string;
  /** Asked before the step is sent; for a step that can't be undone. */
  question?: string;
  names: Path<V>[];
  defaultValues: DefaultValues<V>;
  stepOf: (values: V) => Step;
  children: (form: UseFormReturn<V>) => ReactNode;
}

/** A form that takes an order one step on. After an error it keeps what was typed. */
export function StepForm<V extends FieldValues>(props: Props<V>) {
  const { id, title, lead, submit, question, names, defaultValues, stepOf, children } = props;
  const [fulfil, { isLoading }] = useFulfilMutation();
  const [asked, setAsked] = useState<V | null>(null);
  const form = useForm<V>({ defaultValues });
  const { failure, showError, clearFailure } = useFormErrors(form.setError, names);
  const sendStep = async (values: V) => {
    clearFailure();
    const { error } = await fulfil({ id, ...stepOf(values) });
    setAsked(null);
    if (error) showError(toApiError(error));
  };
  const onSubmit = (values: V) => (question ? setAsked(values) : sendStep(values));
  return (
    <form
      noValidate
      aria-label={title}
      onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}
      className="grid max-w-lg gap-4 rounded-lg border border-line bg-surface p-5 print:hidden"
    >
      <h3 className="font-bold text-lg">{title}</h3>
      {lead && <p className="text-muted">{lead}</p>}
      {children(form)}
      {failure && (
        <p role="alert" className="font-medium text-danger text-sm">
          {failure}
        </p>
      )}
      <Button type="submit" busy={isLoading} className="justify-self-start">
        {submit}
      </Button>
      <ConfirmDialog
        open={asked !== null}
        title={question ?? ""}
        confirmLabel={submit}
        busy={isLoading}
        onConfirm={() => asked && void sendStep(asked)}
        onCancel={() => setAsked(null)}
      />
    </form>
  );
}
