import { useCallback } from "react";
import { useDispatch } from "react-redux";
import { useLocation, useNavigate } from "react-router-dom";
import { bookingDialogOpened, reportDialogOpened } from "@/api/dialogSlice";
import type { Product } from "@/api/types";

/** The actions of a card's buttons: they open the dialogs, or lead a visitor to the login and back here. */
export function useCardActions(signedIn: boolean) {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const from = pathname + search;
  const signIn = useCallback(() => void navigate("/login", { state: { from } }), [navigate, from]);
  const book = useCallback((product: Product) => void dispatch(bookingDialogOpened(product)), [dispatch]);
  const report = useCallback((product: Product) => void dispatch(reportDialogOpened(product)), [dispatch]);
  return { onBook: signedIn ? book : signIn, onReport: signedIn ? report : signIn };
}
