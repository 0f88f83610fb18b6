import { useForm } from "react-hook-form";
import { useDispatch, useSelector } from "react-redux";
import { toApiError } from "@/api/errors";
import { useMe } from "@/api/me";
import { type SelectionRoot, selectChosen, selectChosenNow, selectionCleared } from "@/api/selection";
import type { BookingPayload, Product, SignedInUser } from "@/api/types";
import { Button, Dialog, Field, useToast } from "@/ui";
import { useBookMutation } from "./endpoints";

/** Opens for the phone whose Book Now was pressed; closes on success. Mounted beside the phones. */
export default function BookingDialog() {
  const chosen = useSelector((state: SelectionRoot) => selectChosen(state, "booking"));
  const me = useMe();
  const dispatch = useDispatch();
  const close = () => dispatch(selectionCleared());
  return (
    <Dialog open={chosen !== null && me !== null} onClose={close} title={`Book ${chosen?.name ?? ""}`}>
      {chosen && me && <BookingForm key={chosen._id} chosen={chosen} me={me} onDone={close} />}
    </Dialog>
  );
}

/** What the buyer types. */
interface Typed {
  phone: string;
  location: string;
}

interface Props {
  chosen: Product;
  me: SignedInUser;
  onDone: () => void;
}

function BookingForm({ chosen, me, onDone }: Props) {
  const now = useSelector(selectChosenNow);
  const product = now && now !== "gone" ? now : chosen;
  const taken = now === "gone" || product.booked;
  const [book, { isLoading }] = useBookMutation();
  const toast = useToast();
  const { register, handleSubmit, setError, formState } = useForm<Typed>({
    defaultValues: { phone: "", location: "" },
  });

  const submit = async (typed: Typed) => {
    const { error } = await book(payloadOf(product, me, typed));
    if (!error) {
      toast("Booking Confirmed");
      onDone();
      return;
    }
    const { message, fields = {} } = toApiError(error);
    toast(message, "error");
    for (const name of ["phone", "location"] as const) {
      if (fields[name]) setError(name, { message: fields[name] });
    }
  };

  const { errors } = formState;
  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      <Field label="User Name" name="userName" value={me.displayName} readOnly />
      <Field label="Email" name="email" type="email" value={me.email} readOnly />
      <Field label="Product Name" name="productName" value={product.name} readOnly />
      <Field label="Price" name="price" value={product.resalePrice} readOnly />
      <Field
        label="Phone"
        type="tel"
        autoComplete="tel"
        error={errors.phone?.message}
        {...register("phone", { validate: (phone) => phone.trim() !== "" || "Phone is required" })}
      />
      <Field
        label="Location"
        hint="Optional: where you would like to meet"
        error={errors.location?.message}
        {...register("location")}
      />
      <Taken taken={taken && !isLoading} gone={now === "gone"} />
      <Button type="submit" busy={isLoading} disabled={taken}>
        Confirm booking
      </Button>
    </form>
  );
}

/** Says that the phone was lost under the buyer's eyes. Its line is always there, so that nothing moves. */
function Taken({ taken, gone }: { taken: boolean; gone: boolean }) {
  return (
    <p role="status" className="min-h-6 text-accent">
      {taken && (gone ? "This phone is no longer for sale." : "This phone has just been booked.")}
    </p>
  );
}

function payloadOf(product: Product, me: SignedInUser, typed: Typed): BookingPayload {
  return {
    userName: me.displayName,
    email: me.email,
    productName: product.name,
    productID: product._id,
    id: product.id,
    brand: product.brand,
    img: product.img,
    price: Math.trunc(product.resalePrice),
    phone: typed.phone.trim(),
    location: typed.location.trim(),
  };
}
