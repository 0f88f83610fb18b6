import { useEffect } from "react";
import { useDispatch } from "react-redux";
import { useParams } from "react-router-dom";
import { dialogClosed } from "@/api/dialogSlice";
import BookingDialog from "@/features/booking/BookingDialog";
import Category from "@/features/catalog/Category";
import ReportDialog from "@/features/report/ReportDialog";

/** A brand's phones with the dialogs that their buttons open. */
export default function CategoryRoute() {
  const { id } = useParams();
  const dispatch = useDispatch();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the brand clears the chosen phone
  useEffect(() => () => void dispatch(dialogClosed()), [id, dispatch]);
  return (
    <>
      <Category key={id} />
      <BookingDialog />
      <ReportDialog />
    </>
  );
}
