import { useEffect, useRef } from "react";
import { useDispatch, useSelector } from "react-redux";
import { selectPhase, TOKEN_KEY } from "@/api/sessionSlice";
import { backoff } from "@/lib/backoff";
import type { AuthDispatch } from "./sessionEnd";
import { loadSession, RENEW_BEFORE_MS, renewDueToken, tokenChangedElsewhere } from "./sessionThunks";

/** The interval in which the token's life is checked, milliseconds. */
const CHECK_MS = 60_000;

/**
 * Loads the session, renews the access token before it expires, and follows sign-ins and sign-outs of other tabs. Failed
 * requests are repeated. Mounted once.
 */
export function SessionManager() {
  const dispatch = useDispatch<AuthDispatch>();
  const phase = useSelector(selectPhase);

  useEffect(() => {
    void dispatch(loadSession());
    const onStorage = (event: StorageEvent) => {
      if (event.key === TOKEN_KEY) void dispatch(tokenChangedElsewhere(event.newValue));
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [dispatch]);

  const failures = useRef(0);
  useEffect(() => {
    if (phase === "in" || phase === "out") failures.current = 0;
    if (phase !== "failed") return;
    const timer = setTimeout(() => void dispatch(loadSession()), backoff(failures.current++, Math.random()));
    return () => clearTimeout(timer);
  }, [phase, dispatch]);

  useEffect(() => {
    if (phase !== "in") return;
    // Not one timer for the whole life: it would stand still while the computer sleeps, and a clock may be corrected. A
    // token that expired in a sleep is renewed by the first call that needs it.
    const timer = setInterval(() => void dispatch(renewDueToken(RENEW_BEFORE_MS)), CHECK_MS);
    return () => clearInterval(timer);
  }, [phase, dispatch]);

  return null;
}
