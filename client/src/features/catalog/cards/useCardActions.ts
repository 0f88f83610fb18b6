import { useCallback } from "react";
import { useDispatch } from "react-redux";
import { bookingDialogOpened, reportDialogOpened, waitDialogOpened } from "@/api/dialogSlice";
import type { Product } from "@/api/types";
import { useLoginFor } from "./useLoginFor";

/** The actions of a phone's buttons: they open the dialogs, or lead a visitor to the login, which leads back to the dialog. */
export function useCardActions(signedIn: boolean) {
  const dispatch = useDispatch();
  const logInFor = useLoginFor();
  const onBookOrWait = useCallback(
    (product: Product) => {
      // A booked phone has Join waitlist in the place of Book Now.
      if (!signedIn) logInFor(product.booked ? "wait" : "booking", product);
      else dispatch(product.booked ? waitDialogOpened(product) : bookingDialogOpened(product));
    },
    [signedIn, dispatch, logInFor],
  );
  const onReport = useCallback(
    (product: Product) => {
      if (signedIn) dispatch(reportDialogOpened(product));
      else logInFor("report", product);
    },
    [signedIn, dispatch, logInFor],
  );
  return { onBookOrWait, onReport };
}
