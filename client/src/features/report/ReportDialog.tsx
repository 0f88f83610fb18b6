import { useForm } from "react-hook-form";
import { useDispatch, useSelector } from "react-redux";
import { toApiError } from "@/api/errors";
import { useMe } from "@/api/me";
import { type SelectionRoot, selectChosen, selectionCleared } from "@/api/selection";
import type { Product, SignedInUser } from "@/api/types";
import { Button, Dialog, Field, Textarea, useToast } from "@/ui";
import { useReportMutation } from "./endpoints";

/** Opens for the phone whose Report To Admin was pressed; closes on success. Mounted beside the phones. */
export default function ReportDialog() {
  const chosen = useSelector((state: SelectionRoot) => selectChosen(state, "report"));
  const me = useMe();
  const dispatch = useDispatch();
  const close = () => dispatch(selectionCleared());
  return (
    <Dialog open={chosen !== null && me !== null} onClose={close} title={`Report ${chosen?.name ?? ""}`}>
      {chosen && me && <ReportForm key={chosen._id} product={chosen} me={me} onDone={close} />}
    </Dialog>
  );
}

interface Props {
  product: Product;
  me: SignedInUser;
  onDone: () => void;
}

function ReportForm({ product, me, onDone }: Props) {
  const [report, { isLoading }] = useReportMutation();
  const toast = useToast();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { reason: "" } });

  const submit = async ({ reason }: { reason: string }) => {
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
      toast("Thanks for your response..We saved your report");
      onDone();
      return;
    }
    const { message, fields } = toApiError(error);
    toast(message, "error");
    if (fields?.reason) setError("reason", { message: fields.reason });
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      <Field label="User Name" name="userName" value={me.displayName} readOnly />
      <Field label="Email" name="email" type="email" value={me.email} readOnly />
      <Field label="Product Name" name="productName" value={product.name} readOnly />
      <Field label="Brand" name="brand" value={product.brand} readOnly />
      <Textarea
        label="Reason"
        error={formState.errors.reason?.message}
        {...register("reason", { validate: (reason) => reason.trim() !== "" || "Reason is required" })}
      />
      <Button type="submit" busy={isLoading}>
        Send report
      </Button>
    </form>
  );
}
