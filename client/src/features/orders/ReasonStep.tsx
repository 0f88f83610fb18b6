import { useEffect, useState } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import type { Fulfilment, FulfilmentRequest } from "@/api/types";
import { cleanLines } from "@/lib/cleanText";
import * as texts from "@/texts/order";
import * as t from "@/texts/orderProblems";
import { Button, Dialog, RadioCard, RadioGroup, Textarea } from "@/ui";
import { EvidenceField } from "./EvidenceField";
import { Failure } from "./StepForm";
import { readStepDraft, writeStepDraft } from "./stepDraft";
import { useEvidence } from "./useEvidence";
import { useStep } from "./useStep";

export type Category = NonNullable<Fulfilment["category"]>;
type Action = keyof typeof t.steps;

interface Props {
  id: string;
  action: Action;
  /** What a problem may be about. */
  categories?: readonly Category[];
}

/** The names of the fields that the server gives in its errors. */
interface Values {
  reason: string;
  text: string;
  category: string;
}

/** Whether the words are an answer to somebody, or a reason. */
const fieldOf = (action: Action) => (action === "answer" || action === "object" ? "text" : "reason");

/** A step that needs words, most with photographs, in a dialog. What was typed is kept when the dialog is closed. */
export function ReasonStep({ id, action, categories = [] }: Props) {
  const { title, lead } = t.steps[action];
  const [isOpen, setOpen] = useState(false);
  const { form, evidence, submit, failure, isBusy } = useReason(id, action);
  const isHarmless = action === "answer";
  return (
    <>
      <Button variant={isHarmless ? "primary" : "danger"} onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={title}>
        <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
          <p>{lead}</p>
          {categories.length > 0 && <CategoryField form={form} categories={categories} />}
          <WordsField form={form} action={action} />
          {action !== "cancel" && <EvidenceField evidence={evidence} />}
          <Failure message={failure} />
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={() => setOpen(false)}>
              {texts.cancel}
            </Button>
            <Button type="submit" variant={isHarmless ? "primary" : "alarm"} busy={isBusy}>
              {title}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

/** The form of the step, whose draft is kept in this tab until it is sent. */
function useReason(id: string, action: Action) {
  const [draft] = useState(() => readStepDraft(id, action));
  const field = fieldOf(action);
  const { form, send, failure, isBusy } = useStep<Values>(id, [field, "category"], {
    reason: "",
    text: "",
    [field]: draft.words,
    category: draft.category,
  });
  const evidence = useEvidence(id, draft.photos);
  const { uploaded } = evidence;
  const values = useWatch({ control: form.control });
  const words = values[field] ?? "";
  const category = values.category ?? "";
  useEffect(
    () => writeStepDraft(id, action, { words, category, photos: uploaded }),
    [id, action, words, category, uploaded],
  );
  const submit = form.handleSubmit(async (sent) => {
    const photos = await evidence.finish();
    if (!photos) return;
    const step: FulfilmentRequest = { action, [field]: sent[field] };
    if (sent.category) step.category = sent.category as Category;
    if (photos.length > 0) step.photos = photos;
    if (await send(step)) writeStepDraft(id, action);
  });
  return { form, evidence, submit, failure, isBusy: isBusy || form.formState.isSubmitting };
}

interface FieldProps {
  form: UseFormReturn<Values>;
}

function CategoryField({
  form: { register, formState },
  categories,
}: FieldProps & { categories: readonly Category[] }) {
  return (
    <RadioGroup label={t.category} error={formState.errors.category?.message}>
      {categories.map((category) => (
        <RadioCard key={category} value={category} {...register("category", { required: t.categoryMissing })}>
          {t.categories[category]}
        </RadioCard>
      ))}
    </RadioGroup>
  );
}

function WordsField({ form: { register, formState }, action }: FieldProps & { action: Action }) {
  const { label, hint, missing } = t.steps[action];
  const field = fieldOf(action);
  return (
    <Textarea
      label={label}
      hint={hint}
      maxLength={1000}
      error={formState.errors[field]?.message}
      {...register(field, {
        setValueAs: cleanLines,
        validate: (words) => words !== "" || missing,
      })}
    />
  );
}
