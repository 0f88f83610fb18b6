import { useState } from "react";
import { useForm } from "react-hook-form";
import { useDispatch, useSelector } from "react-redux";
import { useRestoreDialogDraft, useSaveDialogDraft } from "@/api/dialogDraft";
import { type DialogRoot, dialogClosed, selectDialogProduct } from "@/api/dialogSlice";
import { toApiError } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Product, SignedInUser } from "@/api/types";
import * as t from "@/texts/report";
import { Button, Dialog, Field, Textarea, useToast } from "@/ui";
import { useReportMutation } from "./endpoints";

/** Opens for the phone whose Report To Admin was pressed; closes on success. Mounted beside the phones. */
export default function ReportDialog() {
  const chosen = useSelector((state: DialogRoot) => selectDialogProduct(state, "report"));
  const me = useMe();
  const dispatch = useDispatch();
  const isOpen = chosen !== null && me !== null;
  const typed = useRestoreDialogDraft<Typed>("report", me, isOpen);
  const close = () => dispatch(dialogClosed());
  return (
    <Dialog open={isOpen} onClose={close} title={t.title(chosen?.name ?? "")}>
      {chosen && me && <ReportForm key={chosen._id} product={chosen} me={me} typed={typed} onDone={close} />}
    </Dialog>
  );
}

/** What the reporter types. */
interface Typed {
  reason: string;
}

interface Props {
  product: Product;
  me: SignedInUser;
  /** Typed before their session ended. */
  typed: Partial<Typed>;
  onDone: () => void;
}

function ReportForm({ product, me, typed, onDone }: Props) {
  const [report, { isLoading }] = useReportMutation();
  const toast = useToast();
  const [failure, setFailure] = useState("");
  const { register, handleSubmit, setError, getValues, formState } = useForm<Typed>({
    defaultValues: { reason: "", ...typed },
  });
  useSaveDialogDraft("report", me, product, () => ({ ...getValues() }));

  const submit = async ({ reason }: Typed) => {
    setFailure("");
    const { error } = await report({
      userName: me.displayName,
      email: me.email,
      productName: product.name,
      productID: product._id,
      id: product.id,
      reason: reason.trim(),
      brand: product.brand,
      img: product.img,
    });
    if (!error) {
      toast(t.thanks);
      onDone();
      return;
    }
    const { message, fields } = toApiError(error);
    toast(message, "error");
    setFailure(message);
    if (fields?.reason) setError("reason", { message: fields.reason });
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      <Field label={t.userName} name="userName" value={me.displayName} readOnly />
      <Field label={t.email} name="email" type="email" value={me.email} readOnly />
      <Field label={t.productName} name="productName" value={product.name} readOnly />
      <Field label={t.brand} name="brand" value={product.brand} readOnly />
      <Textarea
        label={t.reason}
        error={formState.errors.reason?.message}
        {...register("reason", { validate: (reason) => reason.trim() !== "" || t.reasonRequired })}
      />
      {/* The toast goes; this stays beside what was typed. */}
      <p role="status" className="min-h-6 font-medium text-danger text-sm">
        {failure}
      </p>
      <Button type="submit" busy={isLoading}>
        {t.send}
      </Button>
    </form>
  );
}
