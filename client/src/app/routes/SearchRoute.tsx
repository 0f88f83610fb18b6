import { useEffect } from "react";
import { useDispatch } from "react-redux";
import { dialogClosed } from "@/api/dialogSlice";
import BookingDialog from "@/features/booking/BookingDialog";
import Search from "@/features/catalog/Search";
import ReportDialog from "@/features/report/ReportDialog";

/** The search of the whole market with the dialogs that its buttons open. */
export default function SearchRoute() {
  const dispatch = useDispatch();
  useEffect(() => () => void dispatch(dialogClosed()), [dispatch]);
  return (
    <>
      <Search />
      <BookingDialog />
      <ReportDialog />
    </>
  );
}
