import { useDispatch, useSelector } from "react-redux";
import { useNavigate } from "react-router-dom";
import { selectMe, selectPhase } from "@/api/sessionSlice";
import { serverNotTold } from "@/texts/session";
import { useToast } from "@/ui";
import { type AuthDispatch, signOut } from "./sessionEnd";

/** The signed-in user (or null) and the phase of the session. */
export function useAuth() {
  const user = useSelector(selectMe);
  const phase = useSelector(selectPhase);
  return { user, phase };
}

/** Returns a function that signs out and goes to /login. */
export function useSignOut(): () => void {
  const dispatch = useDispatch<AuthDispatch>();
  const navigate = useNavigate();
  const toast = useToast();
  return () => {
    navigate("/login");
    void dispatch(signOut()).then((serverSignedOut) => {
      if (!serverSignedOut) toast(serverNotTold, "error");
    });
  };
}
