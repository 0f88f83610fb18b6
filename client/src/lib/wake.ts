import { clockJump, steadyNow, watchClock } from "./serverTime";

/** The interval of the check for a gap, milliseconds. */
const CHECK_MS = 1000;
/** A visible page whose timer is late by this much slept, milliseconds. The timers of a hidden page are late on purpose. */
const GAP_MS = 5000;
/** A smaller jump of the device's clock is its usual correction, milliseconds. */
const JUMP_MS = 1000;

/** `clockJumped`: the device's clock was changed, or stood still beside the steady time. */
type Listener = (clockJumped: boolean) => void;

const listeners = new Set<Listener>();
let timer: ReturnType<typeof setInterval> | undefined;
let checkedAt = 0;

/**
 * Calls the listener when the page may have slept: it is visible again, continues, is back from the browser's memory, is
 * online again, or its timer was late. A computer that sleeps with the page in view causes none of the browser's events.
 * Returns the removal of the listener.
 */
export function onWake(listener: Listener): () => void {
  const own: Listener = (clockJumped) => listener(clockJumped);
  if (listeners.size === 0) start();
  listeners.add(own);
  return () => {
    if (listeners.delete(own) && listeners.size === 0) stop();
  };
}

function notify(clockJumped: boolean): void {
  for (const listener of [...listeners]) listener(clockJumped);
}

const isVisible = () => document.visibilityState === "visible";

function check(): void {
  const now = steadyNow();
  const late = now - checkedAt - CHECK_MS;
  checkedAt = now;
  const jumped = Math.abs(clockJump()) >= JUMP_MS;
  if (jumped || (late >= GAP_MS && isVisible())) notify(jumped);
}

const onVisibility = () => isVisible() && notify(false);
const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && notify(false);
const onContinue = () => notify(false);

function start(): void {
  watchClock();
  checkedAt = steadyNow();
  timer = setInterval(check, CHECK_MS);
  document.addEventListener("visibilitychange", onVisibility);
  document.addEventListener("resume", onContinue);
  window.addEventListener("pageshow", onPageShow);
  window.addEventListener("online", onContinue);
}

function stop(): void {
  clearInterval(timer);
  document.removeEventListener("visibilitychange", onVisibility);
  document.removeEventListener("resume", onContinue);
  window.removeEventListener("pageshow", onPageShow);
  window.removeEventListener("online", onContinue);
}
