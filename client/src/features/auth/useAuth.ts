import { useDispatch, useSelector } from "react-redux";
import { useNavigate } from "react-router-dom";
import type { LoginOrigin } from "@/lib/loginOrigin";
import { serverNotTold } from "@/texts/session";
import { useToast } from "@/ui";
import { selectPhase, selectUser } from "./authSlice";
import { type AuthDispatch, signOut } from "./sessionThunks";

/** The signed-in user (or null) and the phase of the session. */
export function useAuth() {
  const user = useSelector(selectUser);
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
    void dispatch(signOut(!origin)).then((serverSignedOut) => {
      if (!serverSignedOut) toast(serverNotTold, "error");
    });
  };
}
