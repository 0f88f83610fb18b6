import { useEffect, useRef } from "react";
import { useDispatch, useSelector } from "react-redux";
import { selectAccessToken, TOKEN_KEY } from "@/api/session";
import { backoff } from "@/lib/live/backoff";
import { selectPhase } from "./authSlice";
import { type AuthDispatch, renewToken, start, tokenChangedElsewhere } from "./session";
import { renewIn } from "./token";

/**
 * Finds out who is signed in, renews the token before it ends and follows what other tabs do. What fails is tried
 * again after pauses that grow. Mounted once.
 */
export function SessionManager() {
  const dispatch = useDispatch<AuthDispatch>();
  const token = useSelector(selectAccessToken);
  const phase = useSelector(selectPhase);

  useEffect(() => {
    void dispatch(start());
    const onStorage = (event: StorageEvent) => {
      if (event.key === TOKEN_KEY) void dispatch(tokenChangedElsewhere(event.newValue));
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [dispatch]);

  const starts = useRef(0);
  useEffect(() => {
    if (phase === "in" || phase === "out") starts.current = 0;
    if (phase !== "failed") return;
    const timer = setTimeout(() => void dispatch(start()), backoff(starts.current++, Math.random()));
    return () => clearTimeout(timer);
  }, [phase, dispatch]);

  useEffect(() => {
    const wait = token === null || phase !== "in" ? null : renewIn(token);
    if (token === null || wait === null) return;
    let timer: ReturnType<typeof setTimeout>;
    let tries = 0;
    // A new token ends it.
    const tick = () => {
      void dispatch(renewToken());
      timer = setTimeout(tick, backoff(++tries, Math.random()));
    };
    timer = setTimeout(tick, wait);
    // Timers stand still while a computer sleeps: look again on waking.
    const onWake = () => {
      if (document.visibilityState === "visible" && renewIn(token) === 0) void dispatch(renewToken());
    };
    const wakes = ["focus", "online"] as const;
    for (const wake of wakes) window.addEventListener(wake, onWake);
    document.addEventListener("visibilitychange", onWake);
    return () => {
      clearTimeout(timer);
      for (const wake of wakes) window.removeEventListener(wake, onWake);
      document.removeEventListener("visibilitychange", onWake);
    };
  }, [token, phase, dispatch]);

  return null;
}
