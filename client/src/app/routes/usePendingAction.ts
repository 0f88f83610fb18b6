import { useEffect } from "react";
import { useDispatch } from "react-redux";
import { useLocation, useNavigate } from "react-router-dom";
import { useOwnBooking, useOwnBookings } from "@/api/bookings";
import { bookingDialogOpened, reportDialogOpened, waitDialogOpened } from "@/api/dialogSlice";
import { toApiError } from "@/api/errors";
import { usePhoneQuery } from "@/api/phone";
import { useRole } from "@/api/role";
import { useWatchMutation } from "@/api/watching";
import { useAuth } from "@/features/auth";
import { pendingActionIn, withoutPendingAction } from "@/lib/loginOrigin";
import * as t from "@/texts/booking";
import { notForAdmins } from "@/texts/catalog";
import { nowWatched } from "@/texts/watching";
import { useToast } from "@/ui";

/**
 * After the login: opens the dialog that the address asks for, or says why not, once it is known who is signed in and
 * how the phone is now. Takes it out of the address first, so that neither a reload nor the back button opens it again.
 */
export function usePendingAction(): void {
  const { pathname, search } = useLocation();
  const { dialog, phone = "" } = pendingActionIn(search) ?? {};
  const { user, phase } = useAuth();
  const { role, error: roleError } = useRole();
  const { currentData, error } = usePhoneQuery({ id: phone, signedIn: true }, { skip: !phone || !user });
  const product = currentData?.entities[phone];
  const failure = error && toApiError(error);
  const { list, error: listError } = useOwnBookings();
  const isOwn = useOwnBooking(phone)?.status === "held";
  const areBookingsKnown = !role || role === "admin" || list || listError;
  const isKnown = (role || roleError) && areBookingsKnown && (currentData || failure);
  const isReady = dialog !== undefined && (phase === "out" || isKnown);

  const navigate = useNavigate();
  const dispatch = useDispatch();
  const [watch] = useWatchMutation();
  const toast = useToast();
  useEffect(() => {
    if (!isReady) return;
    navigate(pathname + withoutPendingAction(search), { replace: true });
    if (phase === "out") return;
    if (!product) return toast(failure && failure.status !== 404 ? failure.message : t.removed, "error");
    if (dialog === "watch")
      return void watch({ phone: product._id, isWatched: true }).then(({ error: refused }) => {
        if (refused) toast(toApiError(refused).message, "error");
        else toast(nowWatched(product.name));
      });
    if (dialog === "report") return void dispatch(reportDialogOpened(product));
    if (role === "admin") return toast(notForAdmins, "error");
    const isTaken = product.sold || (product.booked && dialog === "booking");
    if (isTaken && !isOwn) return toast(t.alreadyBooked, "error");
    focusBookNow(product._id);
    // The booking dialog of one's own booking leads to the payment.
    dispatch(product.booked && !isOwn ? waitDialogOpened(product) : bookingDialogOpened(product));
  }, [
    isReady,
    navigate,
    pathname,
    search,
    phase,
    failure,
    product,
    dialog,
    role,
    isOwn,
    toast,
    dispatch,
    watch,
  ]);
}

/** The dialog gives the focus back to what had it: as if Book Now had been pressed here. */
function focusBookNow(id: string): void {
  document.querySelector<HTMLElement>(`[aria-describedby="phone-${CSS.escape(id)}"]`)?.focus();
}
