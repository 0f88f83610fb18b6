import { useCallback } from "react";
import { useDispatch } from "react-redux";
import { useLocation, useNavigate } from "react-router-dom";
import { bookingDialogOpened, reportDialogOpened, waitDialogOpened } from "@/api/dialogSlice";
import type { Product } from "@/api/types";
import { type LoginOrigin, type PendingAction, withPendingAction } from "@/lib/loginOrigin";

/** The actions of a phone's buttons: they open the dialogs, or lead a visitor to the login, which leads back to the dialog. */
export function useCardActions(signedIn: boolean) {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const logIn = useCallback(
    (dialog: PendingAction["dialog"], { _id, name }: Product) => {
      const from = pathname + withPendingAction(search, { dialog, phone: _id });
      void navigate("/login", { state: { from, phone: name } satisfies LoginOrigin });
    },
    [navigate, pathname, search],
  );
  const onBook = useCallback(
    (product: Product) => {
      // A booked phone has Wait for it in the place of Book Now.
      if (!signedIn) logIn(product.booked ? "wait" : "booking", product);
      else dispatch(product.booked ? waitDialogOpened(product) : bookingDialogOpened(product));
    },
    [signedIn, dispatch, logIn],
  );
  const onReport = useCallback(
    (product: Product) => {
      if (signedIn) dispatch(reportDialogOpened(product));
      else logIn("report", product);
    },
    [signedIn, dispatch, logIn],
  );
  return { onBook, onReport };
}
