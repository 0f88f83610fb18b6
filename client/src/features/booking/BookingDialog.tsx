import { useDispatch, useSelector } from "react-redux";
import { useRestoreDialogDraft } from "@/api/dialogDraft";
import { type DialogRoot, dialogClosed, selectDialogProduct } from "@/api/dialogSlice";
import { useMe } from "@/api/me";
import type { WaitPayload } from "@/api/types";
import { useOwnWait } from "@/api/waitlist";
import * as t from "@/texts/booking";
import { title } from "@/texts/waitlist";
import { Dialog } from "@/ui";
import { BookingForm, type BookingFormValues } from "./BookingForm";
import { LeaveDialog } from "./LeaveDialog";
import { WaitForm } from "./WaitForm";

/**
 * The dialog of a phone whose Book Now or Join waitlist was pressed; closes after the booking. It is one dialog, because
 * a buyer who is too late to book can join the waitlist, and a buyer who came for the waitlist can book a phone that has
 * become available.
 */
export default function BookingDialog() {
  const toBook = useDialogProduct("booking");
  const toWait = useDialogProduct("wait");
  const typed = useSelector((state: DialogRoot) => state.dialog?.values);
  const me = useMe();
  const dispatch = useDispatch();
  const drafts = {
    booking: useRestoreDialogDraft<BookingFormValues>("booking", me, toBook !== null && me !== null),
    wait: useRestoreDialogDraft<WaitPayload>("wait", me, toWait !== null && me !== null),
  };
  const close = () => dispatch(dialogClosed());
  const toLeave = useOwnWait(useDialogProduct("leave")?._id ?? "");
  if (toLeave) return <LeaveDialog wait={toLeave} onClose={close} />;
  return (
    <Dialog
      open={(toBook ?? toWait) !== null && me !== null}
      onClose={close}
      title={toWait ? title(toWait.name) : t.title(toBook?.name ?? "")}
    >
      {toBook && me && (
        <BookingForm
          selected={toBook}
          me={me}
          initialValues={{ ...drafts.booking, ...typed }}
          replacesAnotherForm={typed !== undefined}
          onDone={close}
        />
      )}
      {toWait && me && (
        <WaitForm
          key={toWait._id}
          selected={toWait}
          me={me}
          initialValues={{ ...drafts.wait, ...typed }}
          replacesAnotherForm={typed !== undefined}
          onDone={close}
        />
      )}
    </Dialog>
  );
}

const useDialogProduct = (dialog: "booking" | "wait" | "leave") =>
  useSelector((state: DialogRoot) => selectDialogProduct(state, dialog));
