import { useEffect, useState } from "react";
import { type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { Link, useNavigate } from "react-router-dom";
import { useSendConfirmation, VERIFY_EMAIL } from "@/api/emailConfirmation";
import { EMAIL_CHOICES, useEmailConfirmed } from "@/api/emailNotice";
import { errorMessage } from "@/api/errors";
import { useMe } from "@/api/me";
import { formDraft } from "@/api/tabStorage";
import type { SignedInUser } from "@/api/types";
import { useList } from "@/api/useList";
import { newFormKey } from "@/lib/formKey";
import { sendAgain } from "@/texts/emailConfirmation";
import { aboutSale } from "@/texts/emailNotice";
import * as t from "@/texts/selling";
import { ActionButton, Button, ErrorState, Field, useToast } from "@/ui";
import { EmailNotice } from "@/ui/EmailNotice";
import { DraftNote } from "./DraftNote";
import { readDraft, saveDraft } from "./draft";
import { ownProducts, useProductBrandsQuery } from "./endpoints";
import { awaitUploads, messageWithFields, showFieldErrors } from "./formErrors";
import { EMPTY_FORM, type FormValues } from "./formValues";
import { PhoneFields } from "./PhoneFields";
import { PhotoField } from "./PhotoField";
import { SellerContactFields } from "./SellerContactFields";
import type { UploadStates } from "./uploads";
import { useAddProduct } from "./useAddProduct";
import { useUploads } from "./useUploads";
import { checkDate, FIRST_DAY, today, tomorrow } from "./validation";

/** /dashboard/addProduct: lists a phone for sale. The form is stored as a draft until that succeeds. */
export default function AddProduct() {
  const me = useMe();
  return me && <AddForm key={me.uid} me={me} />;
}

/** The initial values of the form. */
const emptyForm = (): FormValues => ({ ...EMPTY_FORM, selling_post_date: today(), key: newFormKey() });

function AddForm({ me }: { me: SignedInUser }) {
  const brands = useProductBrandsQuery();
  const { uploads, uploadStates } = useUploads();
  const { submit, error: submitError, isLoading } = useAddProduct(uploads);
  const [draft, setDraft] = useState(() => readDraft(me));
  const form = useForm<FormValues>({ defaultValues: draft ?? emptyForm() });
  useSaveDraft(form, uploadStates, me);
  const toast = useToast();
  const navigate = useNavigate();

  const send = form.handleSubmit(async (values) => {
    // A restored draft may be sent before the brands are loaded.
    const loadedBrands = brands.data ?? (await brands.refetch()).data;
    const brand = loadedBrands?.find(({ name }) => name === values.brand);
    if (!brand || !(await awaitUploads(form, uploads))) return;
    const error = await submit(values, brand, me);
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
      {draft && (
        <DraftNote
          onStartOver={() => {
            form.reset(emptyForm());
            setDraft(null);
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
          <PhotoField form={form} uploads={uploads} uploadStates={uploadStates} />
          <SellerContactFields form={form} />
          <Field label={t.labels.sellerName} name="sellerName" value={me.displayName} readOnly />
          <Field label={t.labels.email} name="email" type="email" value={me.email} readOnly />
        </div>
        {submitError && (
          <ErrorState message={messageWithFields(submitError)} onRetry={() => void send()} busy={isLoading}>
            {submitError.code === VERIFY_EMAIL && <SendConfirmation />}
          </ErrorState>
        )}
        <Button type="submit" busy={form.formState.isSubmitting} className="justify-self-start">
          {t.add}
        </Button>
        <FirstPhoneNotice email={me.email} />
      </form>
    </section>
  );
}

function FirstPhoneNotice({ email }: { email: string }) {
  const isConfirmed = useEmailConfirmed();
  const { list } = useList(ownProducts, isConfirmed === undefined ? null : { email });
  if (list?.total !== 0) return null;
  return (
    <EmailNotice
      text={aboutSale}
      settings={(words) => <Link to={EMAIL_CHOICES}>{words}</Link>}
      confirm={isConfirmed ? null : <SendConfirmation />}
    />
  );
}

function SendConfirmation() {
  return <ActionButton {...useSendConfirmation()}>{sendAgain}</ActionButton>;
}

/** Stores the form in this tab, so that it is kept when the page is reloaded or the session ends. */
function useSaveDraft(form: UseFormReturn<FormValues>, uploadStates: UploadStates, me: SignedInUser) {
  const values = useWatch({ control: form.control });
  useEffect(() => saveDraft(me, values as FormValues, uploadStates), [values, uploadStates, me]);
}

function DateField({ form }: { form: UseFormReturn<FormValues> }) {
  return (
    <Field
      label={t.labels.selling_post_date}
      hint={t.dateHint}
      type="date"
      min={FIRST_DAY}
      max={tomorrow()}
      error={form.formState.errors.selling_post_date?.message}
      {...form.register("selling_post_date", { validate: checkDate })}
    />
  );
}
