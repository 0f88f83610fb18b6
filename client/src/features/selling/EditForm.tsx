import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useNavigate } from "react-router-dom";
import type { Product, SignedInUser } from "@/api/types";
import * as t from "@/texts/selling";
import { Button, buttonClass, ErrorState, LiveDot, useAnnounce, useToast } from "@/ui";
import { ContactFields } from "./ContactFields";
import { forgetEdit, keptEdit } from "./draft";
import { EditConflicts } from "./EditConflicts";
import { messageWithFields } from "./formErrors";
import { type FormValues, formValuesOf } from "./formValues";
import { KeptNote } from "./KeptNote";
import { PhoneFields } from "./PhoneFields";
import { PhotoField } from "./PhotoField";
import { useEditPhone } from "./useEditPhone";
import { useUploads } from "./useUploads";

interface Props {
  me: SignedInUser;
  product: Product;
  /** It has been removed while the form was open. */
  gone: boolean;
  refetch: () => Promise<Product | null>;
}

/**
 * The form of a phone that is listed. What was typed stays, whatever happens to the phone meanwhile, and is there again
 * when the seller comes back from another screen.
 */
export function EditForm({ me, product, gone, refetch }: Props) {
  const [kept, setKept] = useState(() => keptEdit(me, product._id));
  const form = useForm<FormValues>({ defaultValues: kept?.typed ?? formValuesOf(product) });
  const { uploads, sendings } = useUploads();
  const typedFor = kept?.base ?? product;
  const edit = useEditPhone({ form, me, product, typedFor, uploads, sendings, refetch });
  const { save, failure, contested, take, startAnew } = edit;
  const toast = useToast();
  const navigate = useNavigate();
  const stands = standingOf(product, gone);
  const send = form.handleSubmit(async (typed) => {
    if (stands !== "available") return;
    const outcome = await save(typed);
    if (outcome === "not") return;
    toast(outcome === "saved" ? t.saved : t.nothingChanged);
    navigate("/dashboard/myProducts");
  });
  return (
    <section aria-labelledby="edit-title" className="max-w-3xl">
      <h2 id="edit-title" className="font-bold text-2xl [overflow-wrap:anywhere]">
        {t.editTitle(product.name)}
      </h2>
      <Standing of={stands} />
      {kept && (
        <KeptNote
          onAnew={() => {
            startAnew();
            setKept(null);
          }}
        />
      )}
      <form noValidate className="grid gap-5" onSubmit={(event) => void send(event)}>
        <div className="grid gap-5 sm:grid-cols-2">
          <PhoneFields form={form} />
          <ContactFields form={form} />
          <PhotoField form={form} uploads={uploads} sendings={sendings} />
        </div>
        {failure && (
          <ErrorState
            message={messageWithFields(failure)}
            onRetry={() => void send()}
            busy={form.formState.isSubmitting}
          />
        )}
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            busy={form.formState.isSubmitting}
            disabled={stands !== "available"}
            aria-describedby="edit-standing"
          >
            {t.saveChanges}
          </Button>
          <Link
            to="/dashboard/myProducts"
            className={buttonClass({ variant: "quiet" })}
            onClick={() => forgetEdit(product._id)}
          >
            {t.discard}
          </Link>
        </div>
        <EditConflicts fields={contested} product={product} onTake={take} />
      </form>
    </section>
  );
}

type Stands = keyof typeof t.standing;

function standingOf({ sold, booked }: Product, gone: boolean): Stands {
  if (gone) return "gone";
  if (sold) return "sold";
  return booked ? "booked" : "available";
}

/** How the phone stands, live. Its lines are there whatever it says, so that nothing moves; a change is read out. */
function Standing({ of }: { of: Stands }) {
  const announce = useAnnounce();
  useEffect(() => {
    if (of !== "available") announce(t.standing[of]);
  }, [of, announce]);
  return (
    <p
      id="edit-standing"
      className={`mt-2 mb-5 flex min-h-18 items-start gap-2.5 sm:min-h-13 ${of === "available" ? "text-muted" : "font-semibold text-accent"}`}
    >
      {of === "available" && <LiveDot className="mt-2 text-ok" />}
      {t.standing[of]}
    </p>
  );
}
