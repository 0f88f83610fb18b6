import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { useRememberedContact } from "@/api/contact";
import { useSendConfirmation, VERIFY_EMAIL } from "@/api/emailConfirmation";
import { EMAIL_CHOICES, useEmailConfirmed } from "@/api/emailNotice";
import { errorMessage } from "@/api/errors";
import { useUploads } from "@/api/images/useUploads";
import { useIsOwnPhone, useMe } from "@/api/me";
import type { SignedInUser } from "@/api/types";
import { useList } from "@/api/useList";
import { newFormKey } from "@/lib/formKey";
import { sendAgain } from "@/texts/emailConfirmation";
import { aboutSale } from "@/texts/emailNotice";
import * as t from "@/texts/selling";
import { ActionButton, Button, ErrorState, Spinner, useToast } from "@/ui";
import { EmailNotice } from "@/ui/EmailNotice";
import { DraftNote } from "./DraftNote";
import { deleteDraft, readDraft, saveDraft } from "./draft";
import { ownProducts, useOwnPhoneQuery, useProductBrandsQuery } from "./endpoints";
import { awaitUploads, messageWithFields, showFieldErrors } from "./formErrors";
import { type FormValues, newForm, newFormLike } from "./formValues";
import { MoreFields } from "./MoreFields";
import { PhoneFields } from "./PhoneFields";
import { PhotoField } from "./PhotoField";
import { SellerContactFields } from "./SellerContactFields";
import { useAddProduct } from "./useAddProduct";

/**
 * /dashboard/addProduct: lists a phone for sale. The form is stored as a draft until that succeeds. With ?like= it begins
 * with the values of a phone of this seller, and with &again= also with its photos and its description.
 */
export default function AddProduct() {
  const me = useMe();
  const [params] = useSearchParams();
  const id = params.get("like") ?? "";
  const { currentData, isError } = useOwnPhoneQuery({ id }, { skip: id === "" });
  const product = currentData?.entities[id];
  const isOwn = useIsOwnPhone(product);
  if (!me) return null;
  if (id !== "" && !currentData && !isError) return <Spinner />;
  const initial = product && isOwn ? newFormLike(product, params.has("again")) : newForm();
  return <AddForm key={`${me.uid} ${params}`} me={me} draftKey={`new ${params}`} initialValues={initial} />;
}

interface Props {
  me: SignedInUser;
  draftKey: string;
  /** Those of the first render count. */
  initialValues: FormValues;
}

function AddForm({ me, draftKey, initialValues }: Props) {
  const brands = useProductBrandsQuery();
  const { uploads, uploadStates } = useUploads("phone");
  const { submit, error: submitError, isLoading } = useAddProduct(uploads);
  const [initial] = useState(initialValues);
  const [draft, setDraft] = useState(() => readDraft(me, draftKey));
  const form = useForm<FormValues>({ defaultValues: draft ?? initial });
  const { fill, remember } = useRememberedContact(form);
  const values = useWatch({ control: form.control }) as FormValues;
  useEffect(
    () => saveDraft(me, draftKey, initial, values, uploadStates),
    [me, draftKey, initial, values, uploadStates],
  );
  const brandId = brands.data?.find(({ name }) => name === values.brand)?._id ?? "";
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
    deleteDraft(draftKey);
    remember(values);
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
            form.reset({ ...initial, key: newFormKey() });
            fill();
            setDraft(null);
          }}
        />
      )}
      {brands.isError && (
        <ErrorState message={errorMessage(brands.error)} onRetry={brands.refetch} busy={brands.isFetching} />
      )}
      <form noValidate className="mt-2 grid gap-5" onSubmit={(event) => void send(event)}>
        <div className="grid gap-5 sm:grid-cols-2">
          <PhotoField form={form} uploads={uploads} uploadStates={uploadStates} />
          <PhoneFields form={form} brandId={brandId} brands={brands.data ?? []} />
          <SellerContactFields form={form} />
          <MoreFields form={form} me={me} />
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
