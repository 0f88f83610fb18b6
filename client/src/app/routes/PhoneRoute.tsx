import { lazy, Suspense, useEffect } from "react";
import { useDispatch } from "react-redux";
import { useParams } from "react-router-dom";
import { dialogClosed } from "@/api/dialogSlice";
import { useRole } from "@/api/role";
import BookingDialog from "@/features/booking/BookingDialog";
import Phone from "@/features/catalog/phone/Phone";
import ReportDialog from "@/features/report/ReportDialog";

const TakeDown = lazy(() => import("@/features/admin/RemovePhone"));

/** A phone's own page with the dialogs that its buttons open. */
export default function PhoneRoute() {
  const { id = "" } = useParams();
  const dispatch = useDispatch();
  const isAdmin = useRole().role === "admin";
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the phone clears the choice
  useEffect(() => () => void dispatch(dialogClosed()), [id, dispatch]);
  return (
    <>
      <Phone
        key={id}
        id={id}
        tools={
          isAdmin
            ? ({ name }) => (
                <Suspense>
                  <TakeDown id={id} name={name} />
                </Suspense>
              )
            : undefined
        }
      />
      <BookingDialog />
      <ReportDialog />
    </>
  );
}
