import { useEffect, useRef } from "react";
import { useDispatch, useSelector } from "react-redux";
import { selectAccessToken, TOKEN_KEY } from "@/api/sessionSlice";
import { backoff } from "@/lib/backoff";
import { selectPhase } from "./authSlice";
import { type AuthDispatch, loadSession, renewToken, tokenChangedElsewhere } from "./sessionThunks";
import { renewIn } from "./tokenRenewal";

/**
 * Loads the session, renews the access token before it expires, and follows sign-ins and sign-outs of other tabs. Failed
 * requests are repeated after growing delays. Mounted once.
 */
export function SessionManager() {
  const dispatch = useDispatch<AuthDispatch>();
  const token = useSelector(selectAccessToken);
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
    const wait = token === null || phase !== "in" ? null : renewIn(token);
    if (token === null || wait === null) return;
    let timer: ReturnType<typeof setTimeout>;
    let tries = 0;
    // The effect ends with the new token.
    const tick = () => {
      void dispatch(renewToken());
      timer = setTimeout(tick, backoff(++tries, Math.random()));
    };
    timer = setTimeout(tick, wait);
    // Timers do not run while a computer sleeps, so the token is checked again on waking.
    const onWake = () => {
      if (document.visibilityState === "visible" && renewIn(token) === 0) void dispatch(renewToken());
    };
    const wakeEvents = ["focus", "online"] as const;
    for (const type of wakeEvents) window.addEventListener(type, onWake);
    document.addEventListener("visibilitychange", onWake);
    return () => {
      clearTimeout(timer);
      for (const type of wakeEvents) window.removeEventListener(type, onWake);
      document.removeEventListener("visibilitychange", onWake);
    };
  }, [token, phase, dispatch]);

  return null;
}
