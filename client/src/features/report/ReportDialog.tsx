import { useState } from "react";
import { useForm } from "react-hook-form";
import { useDispatch, useSelector } from "react-redux";
import { useRestoreDialogDraft, useSaveDialogDraft } from "@/api/dialogDraft";
import { type DialogRoot, dialogClosed, selectDialogProduct } from "@/api/dialogSlice";
import { toApiError } from "@/api/errors";
import { useMe } from "@/api/me";
import type { Product, Rule, SignedInUser } from "@/api/types";
import { cleanLines } from "@/lib/cleanText";
import { newFormKey } from "@/lib/formKey";
import { ruleNames } from "@/texts/decisions";
import * as t from "@/texts/report";
import { Button, Dialog, Options, ReadOnlyField, Select, Textarea, Thumbnail, useToast } from "@/ui";
import { useReportMutation, useReportRuleMutation } from "./endpoints";

/** The report dialog; opens for the phone whose Report To Admin was pressed, and closes after the report. */
export default function ReportDialog() {
  const product = useSelector((state: DialogRoot) => selectDialogProduct(state, "report"));
  const me = useMe();
  const dispatch = useDispatch();
  const isOpen = product !== null && me !== null;
  const initialValues = useRestoreDialogDraft<ReportFormValues>("report", me, isOpen);
  const close = () => dispatch(dialogClosed());
  return (
    <Dialog open={isOpen} onClose={close} title={t.title(product?.name ?? "")}>
      {product && me && (
        <ReportForm
          key={product._id}
          product={product}
          me={me}
          initialValues={initialValues}
          onDone={close}
        />
      )}
    </Dialog>
  );
}

/** The values of the form. */
interface ReportFormValues {
  reason: string;
  /** "" for none. */
  rule: string;
  key: string;
}

interface Props {
  product: Product;
  me: SignedInUser;
  /** The values of the draft from before the session ended. */
  initialValues: Partial<ReportFormValues>;
  onDone: () => void;
}

function ReportForm({ product, me, initialValues, onDone }: Props) {
  const [report, reporting] = useReportMutation();
  const [reportRule, reportingRule] = useReportRuleMutation();
  const toast = useToast();
  const [errorMessage, setErrorMessage] = useState("");
  const { register, handleSubmit, setError, getValues, formState } = useForm<ReportFormValues>({
    defaultValues: { reason: "", rule: "", key: newFormKey(), ...initialValues },
  });
  useSaveDialogDraft("report", me, product, () => ({ ...getValues() }));

  const send = ({ reason, rule, key }: ReportFormValues) =>
    rule
      ? reportRule({ kind: "product", id: product._id, rule: rule as Rule, reason, key })
      : report({
          userName: me.displayName,
          email: me.email,
          productName: product.name,
          productID: product._id,
          id: product.id,
          reason,
          brand: product.brand,
          img: product.img,
          key,
        });
  const submit = async (values: ReportFormValues) => {
    setErrorMessage("");
    const { error } = await send(values);
    if (!error) {
      toast(t.thanks);
      onDone();
      return;
    }
    const { message, fields } = toApiError(error);
    if (fields?.reason) return setError("reason", { message: fields.reason }, { shouldFocus: true });
    toast(message, "error");
    setErrorMessage(message);
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3">
        <Thumbnail product={product} eager />
        <div className="grid min-w-0 grid-cols-[1fr_6rem] gap-x-4">
          <ReadOnlyField label={t.productName} name="productName" value={product.name} isStrong />
          <ReadOnlyField label={t.brand} name="brand" value={product.brand} isStrong />
        </div>
        <div className="col-span-2 grid grid-cols-2 gap-x-4">
          <ReadOnlyField label={t.userName} name="userName" value={me.displayName} />
          <ReadOnlyField label={t.email} name="email" value={me.email} />
        </div>
      </div>
      <Textarea
        label={t.reason}
        rows={3} // so that the button is visible on a small telephone
        error={formState.errors.reason?.message}
        {...register("reason", {
          setValueAs: cleanLines,
          validate: (reason) => reason !== "" || t.reasonRequired,
        })}
      />
      <Select label={t.rule} {...register("rule")}>
        <Options labels={{ "": t.noRule, ...ruleNames }} />
      </Select>
      {/* The toast disappears; this message stays in the form. */}
      <p role="status" className="min-h-6 font-medium text-danger text-sm">
        {errorMessage}
      </p>
      <Button type="submit" busy={reporting.isLoading || reportingRule.isLoading}>
        {t.send}
      </Button>
    </form>
  );
}
