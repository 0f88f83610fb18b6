import { useDispatch, useSelector } from "react-redux";
import { useRestoreDialogDraft } from "@/api/dialogDraft";
import { type DialogRoot, dialogClosed, selectDialogProduct } from "@/api/dialogSlice";
import { useMe } from "@/api/me";
import * as t from "@/texts/booking";
import { Dialog } from "@/ui";
import { BookingForm, type BookingFormValues } from "./BookingForm";

/** The booking dialog; opens for the phone whose Book Now was pressed, and closes after the booking. */
export default function BookingDialog() {
  const product = useSelector((state: DialogRoot) => selectDialogProduct(state, "booking"));
  const me = useMe();
  const dispatch = useDispatch();
  const isOpen = product !== null && me !== null;
  const initialValues = useRestoreDialogDraft<BookingFormValues>("booking", me, isOpen);
  const close = () => dispatch(dialogClosed());
  return (
    <Dialog open={isOpen} onClose={close} title={t.title(product?.name ?? "")}>
      {product && me && (
        <BookingForm selected={product} me={me} initialValues={initialValues} onDone={close} />
      )}
    </Dialog>
  );
}
