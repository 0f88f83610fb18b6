import { useEffect, useState } from "react";
import { backoff } from "@/lib/live/backoff";

/** Code that comes after the first screen. */
export interface LaterCode<T> {
  /** Fetches it; resolves once it is here. */
  load: () => Promise<void>;
  /** What it is, once it is here. */
  now: () => T | null;
}

/** Code for useCode, kept for the life of the page. */
export function laterCode<T>(fetch: () => Promise<T>): LaterCode<T> {
  let code: T | null = null;
  return {
    load: async () => {
      code = await fetch();
    },
    now: () => code,
  };
}

/** Null until the code is here; asked for again, ever more rarely, where it does not come. `onLost` stays the same. */
export function useCode<T>({ load, now }: LaterCode<T>, onLost?: () => void): T | null {
  const [code, setCode] = useState(now);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (code !== null) return;
    let timer: ReturnType<typeof setTimeout>;
    let isHere = true;
    load().then(
      () => isHere && setCode(now),
      () => {
        if (!isHere) return;
        onLost?.();
        timer = setTimeout(() => setTries(tries + 1), backoff(tries, Math.random()));
      },
    );
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [code, tries, load, now, onLost]);
  return code;
}
