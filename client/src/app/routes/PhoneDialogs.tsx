import { useEffect } from "react";
import { useDispatch } from "react-redux";
import { dialogClosed } from "@/api/dialogSlice";
import BookingDialog from "@/features/booking/BookingDialog";
import ReportDialog from "@/features/report/ReportDialog";
import { usePendingAction } from "./usePendingAction";

/** The dialogs that the buttons of phones open, on the screens that show phones. They close with their screen. */
export function PhoneDialogs() {
  const dispatch = useDispatch();
  useEffect(() => () => void dispatch(dialogClosed()), [dispatch]);
  usePendingAction();
  return (
    <>
      <BookingDialog />
      <ReportDialog />
    </>
  );
}
