import { useDispatch, useSelector } from "react-redux";
import { useNavigate } from "react-router-dom";
import type { LoginOrigin } from "@/lib/loginOrigin";
import * as t from "@/texts/auth";
import { useToast } from "@/ui";
import { selectPhase, selectUser } from "./authSlice";
import { type AuthDispatch, signOut } from "./session";

/** Who is signed in (or null) and how far we are in finding out. */
export function useAuth() {
  const user = useSelector(selectUser);
  const phase = useSelector(selectPhase);
  return { user, phase };
}

/** Signs out and goes to /login; or to /signUp, when the user wants to come back to `origin` with another account. */
export function useSignOut(origin?: LoginOrigin): () => void {
  const dispatch = useDispatch<AuthDispatch>();
  const navigate = useNavigate();
  const toast = useToast();
  return () => {
    navigate(origin ? "/signUp" : "/login", { state: origin });
    void dispatch(signOut(!origin)).then((told) => {
      if (!told) toast(t.serverNotTold, "error");
    });
  };
}
