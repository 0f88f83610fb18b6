import { useDispatch, useSelector } from "react-redux";
import { useNavigate } from "react-router-dom";
import { selectMe, selectPhase } from "@/api/sessionSlice";
import type { LoginOrigin } from "@/lib/loginOrigin";
import { serverNotTold } from "@/texts/session";
import { useToast } from "@/ui";
import { type AuthDispatch, signOut } from "./sessionEnd";

/** The signed-in user (or null) and the phase of the session. */
export function useAuth() {
  const user = useSelector(selectMe);
  const phase = useSelector(selectPhase);
  return { user, phase };
}

/** Returns a function that signs out and goes to /login; with an `origin` to /signUp, to return there with another account. */
export function useSignOut(origin?: LoginOrigin): () => void {
  const dispatch = useDispatch<AuthDispatch>();
  const navigate = useNavigate();
  const toast = useToast();
  return () => {
    navigate(origin ? "/signUp" : "/login", { state: origin });
    void dispatch(signOut(origin !== undefined)).then((serverSignedOut) => {
      if (!serverSignedOut) toast(serverNotTold, "error");
    });
  };
}
