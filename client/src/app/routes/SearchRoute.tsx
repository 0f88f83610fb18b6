import { useEffect } from "react";
import { useDispatch } from "react-redux";
import { dialogClosed } from "@/api/dialogSlice";
import { useRole } from "@/api/role";
import BookingDialog from "@/features/booking/BookingDialog";
import Search from "@/features/catalog/Search";
import ReportDialog from "@/features/report/ReportDialog";

/** The search of the whole market with the dialogs that its buttons open. */
export default function SearchRoute() {
  const dispatch = useDispatch();
  useRole(); // The cards offer what the role may do.
  useEffect(() => () => void dispatch(dialogClosed()), [dispatch]);
  return (
    <>
      <Search />
      <BookingDialog />
      <ReportDialog />
    </>
  );
}
