import { safeLocalStorage } from "./safeLocalStorage";

/** The key of local storage for the last measured offset: a stored token is judged before the first response. */
const OFFSET_KEY = "clockOffset";
/** The Date header has whole seconds. Smaller changes of the offset are not reported. */
const SECOND = 1000;

/** What the server's clock is ahead of the device's clock, milliseconds. */
let offset = Number(safeLocalStorage.get(OFFSET_KEY)) || 0;
/** What the device's clock is ahead of the steady time, milliseconds, at the last check. */
let drift = 0;
const listeners = new Set<() => void>();

/**
 * The server's time, milliseconds since 1970. Every deadline and the life of the access token are compared with it,
 * because the device's clock may be wrong. No other file of the client reads the device's clock (clock.test.ts).
 */
export const serverNow = (): number => Date.now() + offset;

/**
 * Milliseconds of a clock that never jumps, for durations. In some browsers it stands still while the computer sleeps
 * (wake.ts).
 */
export const steadyNow = (): number => performance.now();

/** Calls the listener when the server's time turns out to be another by a second or more; returns its removal. */
export function onServerTimeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setOffset(value: number): void {
  const isLarge = Math.abs(value - offset) >= SECOND;
  offset = value;
  if (!isLarge) return;
  safeLocalStorage.set(OFFSET_KEY, String(Math.round(value)));
  for (const listener of [...listeners]) listener();
}

/** Sends a request and measures the server's time by the Date header of its response. */
export async function timedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const sentAt = Date.now();
  const response = await fetch(...request);
  measure(Date.parse(response.headers.get("Date") ?? ""), sentAt, Date.now());
  return response;
}

/** Measures the server's time by a small response. Offline, the next response of any call does it. */
export const measureServerTime = (): Promise<unknown> =>
  timedFetch("/healthz", { cache: "no-store" }).catch(() => undefined);

/**
 * The server wrote `date` within the second that begins then, and between these two times of the device. The offset is
 * moved only as far as this requires, so that it becomes more precise with each response.
 */
function measure(date: number, sentAt: number, receivedAt: number): void {
  const [least, most] = [date - receivedAt, date + SECOND - sentAt];
  // False without a Date header, and if the device's clock was set back meanwhile.
  if (!(least <= most)) return;
  const nearest = Math.min(Math.max(offset, least), most);
  setOffset(Math.abs(nearest - offset) < SECOND ? nearest : (least + most) / 2);
}

/** Begins to compare the device's clock with the steady time. */
export function watchClock(): void {
  drift = Date.now() - steadyNow();
}

/**
 * How far the device's clock has jumped since the last call, milliseconds. When it was set back, the server's time goes on.
 * A jump ahead may be a sleep, in which the steady time stood still: only the server knows.
 */
export function clockJump(): number {
  const before = drift;
  watchClock();
  const jump = drift - before;
  if (jump <= -SECOND) setOffset(offset - jump);
  return jump;
}

/** Forgets what was measured; for tests. */
export function forgetServerTime(): void {
  offset = 0;
}
