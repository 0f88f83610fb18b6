import { useEffect, useState } from "react";
import { type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { errorMessage } from "@/api/errors";
import { useMe } from "@/api/me";
import { formDraft } from "@/api/sessionStorage";
import type { SignedInUser } from "@/api/types";
import * as t from "@/texts/selling";
import { Button, ErrorState, Field, useToast } from "@/ui";
import { ContactFields } from "./ContactFields";
import { keepDraft, keptDraft } from "./draft";
import { useProductBrandsQuery } from "./endpoints";
import { messageWithFields, showFieldErrors, waitForUploads } from "./formErrors";
import { EMPTY, type FormValues } from "./formValues";
import { KeptNote } from "./KeptNote";
import { PhoneFields } from "./PhoneFields";
import { PhotoField } from "./PhotoField";
import { required, today } from "./rules";
import type { UploadStates } from "./uploads";
import { useAddProduct } from "./useAddProduct";
import { useUploads } from "./useUploads";

/** /dashboard/addProduct: lists a phone for sale. What was typed stays until that has worked. */
export default function AddProduct() {
  const me = useMe();
  return me && <AddForm key={me.uid} me={me} />;
}

/** What the form begins with. */
const fresh = (): FormValues => ({ ...EMPTY, selling_post_date: today() });

function AddForm({ me }: { me: SignedInUser }) {
  const brands = useProductBrandsQuery();
  const { uploads, sendings } = useUploads();
  const { submit, failure, isLoading } = useAddProduct(uploads);
  const [kept, setKept] = useState(() => keptDraft(me));
  const form = useForm<FormValues>({ defaultValues: kept ?? fresh() });
  useDraft(form, sendings, me);
  const toast = useToast();
  const navigate = useNavigate();

  const send = form.handleSubmit(async (typed) => {
    // What was kept may be sent before the brands are there.
    const known = brands.data ?? (await brands.refetch()).data;
    const brand = known?.find(({ name }) => name === typed.brand);
    if (!brand || !(await waitForUploads(form, uploads))) return;
    const error = await submit(typed, brand, me);
    if (error) {
      showFieldErrors(form, error);
      return;
    }
    formDraft.write(null);
    toast(t.added);
    navigate("/dashboard/myProducts");
  });

  return (
    <section aria-labelledby="add-title" className="max-w-3xl">
      <h2 id="add-title" className="mb-5 font-bold text-2xl">
        {t.addTitle}
      </h2>
      {kept && (
        <KeptNote
          onAnew={() => {
            form.reset(fresh());
            setKept(null);
          }}
        />
      )}
      {brands.isError && (
        <ErrorState message={errorMessage(brands.error)} onRetry={brands.refetch} busy={brands.isFetching} />
      )}
      <form noValidate className="mt-2 grid gap-5" onSubmit={(event) => void send(event)}>
        <div className="grid gap-5 sm:grid-cols-2">
          <PhoneFields form={form} brands={brands.data ?? []} />
          <DateField form={form} />
          <PhotoField form={form} uploads={uploads} sendings={sendings} />
          <ContactFields form={form} />
          <Field label={t.labels.sellerName} name="sellerName" value={me.displayName} readOnly />
          <Field label={t.labels.email} name="email" type="email" value={me.email} readOnly />
        </div>
        {failure && (
          <ErrorState message={messageWithFields(failure)} onRetry={() => void send()} busy={isLoading} />
        )}
        <Button type="submit" busy={form.formState.isSubmitting} className="justify-self-start">
          {t.add}
        </Button>
      </form>
    </section>
  );
}

/** Keeps in this tab what is typed, so that a reload or a lost session loses none of it. */
function useDraft(form: UseFormReturn<FormValues>, sendings: UploadStates, me: SignedInUser) {
  const typed = useWatch({ control: form.control });
  useEffect(() => keepDraft(me, typed as FormValues, sendings), [typed, sendings, me]);
}

function DateField({ form }: { form: UseFormReturn<FormValues> }) {
  return (
    <Field
      label={t.labels.selling_post_date}
      hint={t.dateHint}
      type="date"
      error={form.formState.errors.selling_post_date?.message}
      {...form.register("selling_post_date", { validate: required(t.labels.selling_post_date) })}
    />
  );
}
