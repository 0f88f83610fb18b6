import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useNavigate } from "react-router-dom";
import { useUploads } from "@/api/images/useUploads";
import type { Product, SignedInUser } from "@/api/types";
import * as t from "@/texts/selling";
import { Button, buttonClass, ErrorState, LiveDot, useAnnounce, useToast } from "@/ui";
import { DraftNote } from "./DraftNote";
import { deleteEditDraft, readEditDraft } from "./draft";
import { EditConflicts } from "./EditConflicts";
import { messageWithFields } from "./formErrors";
import { type FormValues, toFormValues } from "./formValues";
import { OffersField } from "./OffersField";
import { PhoneFields } from "./PhoneFields";
import { PhotoField } from "./PhotoField";
import { SellerContactFields } from "./SellerContactFields";
import { useEditPhone } from "./useEditPhone";

interface Props {
  me: SignedInUser;
  product: Product;
  /** The phone was removed while the form was open. */
  isRemoved: boolean;
  refetch: () => Promise<Product | null>;
}

/**
 * The form of a listed phone. The edited values are kept when the phone changes meanwhile, and when the seller leaves the
 * screen and returns.
 */
export function EditForm({ me, product, isRemoved, refetch }: Props) {
  const [draft, setDraft] = useState(() => readEditDraft(me, product._id));
  const form = useForm<FormValues>({ defaultValues: draft?.values ?? toFormValues(product) });
  const { uploads, uploadStates } = useUploads("phone");
  const initialBase = draft?.base ?? product;
  const edit = useEditPhone({ form, me, product, initialBase, uploads, uploadStates, refetch });
  const { save, error, conflicts, acceptSavedValue, reset } = edit;
  const toast = useToast();
  const navigate = useNavigate();
  const status = statusOf(product, isRemoved);
  const send = form.handleSubmit(async (values) => {
    if (status !== "available") return;
    const result = await save(values);
    if (result === "unchanged") toast(t.nothingChanged, "info");
    if (result !== "saved") return;
    toast(t.saved);
    navigate("/dashboard/myProducts");
  });
  return (
    <section aria-labelledby="edit-title" className="max-w-3xl">
      <h2 id="edit-title" className="font-bold text-2xl [overflow-wrap:anywhere]">
        {t.editTitle(product.name)}
      </h2>
      <PhoneStatus of={status} />
      {draft && (
        <DraftNote
          onStartOver={() => {
            reset();
            setDraft(null);
          }}
        />
      )}
      <form noValidate className="grid gap-5" onSubmit={(event) => void send(event)}>
        <div className="grid gap-5 sm:grid-cols-2">
          <PhotoField form={form} uploads={uploads} uploadStates={uploadStates} />
          <PhoneFields form={form} brandId={product.id} />
          <SellerContactFields form={form} />
          <OffersField form={form} />
        </div>
        {error && (
          <ErrorState
            message={messageWithFields(error)}
            onRetry={() => void send()}
            busy={form.formState.isSubmitting}
          />
        )}
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            busy={form.formState.isSubmitting}
            disabled={status !== "available"}
            aria-describedby="edit-standing"
          >
            {t.saveChanges}
          </Button>
          <Link
            to="/dashboard/myProducts"
            className={buttonClass({ variant: "quiet" })}
            onClick={() => deleteEditDraft(product._id)}
          >
            {t.discard}
          </Link>
        </div>
        <EditConflicts fields={conflicts} product={product} onUseSaved={acceptSavedValue} />
      </form>
    </section>
  );
}

type EditStatus = keyof typeof t.editStatus;

function statusOf({ sold, booked }: Product, isRemoved: boolean): EditStatus {
  if (isRemoved) return "removed";
  if (sold) return "sold";
  return booked ? "booked" : "available";
}

/** The status of the phone, live. It has the same height in every status, and a change is read out. */
function PhoneStatus({ of }: { of: EditStatus }) {
  const announce = useAnnounce();
  useEffect(() => {
    if (of !== "available") announce(t.editStatus[of]);
  }, [of, announce]);
  return (
    <p
      id="edit-standing"
      className={`mt-2 mb-5 flex min-h-18 items-start gap-2.5 sm:min-h-13 ${of === "available" ? "text-muted" : "font-semibold text-accent"}`}
    >
      {of === "available" && <LiveDot className="mt-2 text-ok" />}
      <span>{t.editStatus[of]}</span>
    </p>
  );
}
