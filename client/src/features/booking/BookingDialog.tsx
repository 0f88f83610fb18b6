import { useDispatch, useSelector } from "react-redux";
import { useRestoreDialogDraft } from "@/api/dialogDraft";
import { type DialogRoot, dialogClosed, selectDialogProduct } from "@/api/dialogSlice";
import { useMe } from "@/api/me";
import * as t from "@/texts/booking";
import { Dialog } from "@/ui";
import { BookingForm, type BookingFormValues } from "./BookingForm";

/** Opens for the phone whose Book Now was pressed; closes on success. Mounted beside the phones. */
export default function BookingDialog() {
  const chosen = useSelector((state: DialogRoot) => selectDialogProduct(state, "booking"));
  const me = useMe();
  const dispatch = useDispatch();
  const isOpen = chosen !== null && me !== null;
  const typed = useRestoreDialogDraft<BookingFormValues>("booking", me, isOpen);
  const close = () => dispatch(dialogClosed());
  return (
    <Dialog open={isOpen} onClose={close} title={t.title(chosen?.name ?? "")}>
      {chosen && me && <BookingForm chosen={chosen} me={me} typed={typed} onDone={close} />}
    </Dialog>
  );
}
