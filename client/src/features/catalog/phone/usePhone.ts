import { useEffect, useRef, useState } from "react";
import { useSelector } from "react-redux";
import { type ApiError, toApiError } from "@/api/errors";
import { useLiveList, useLiveTopic } from "@/api/live";
import { phone, usePhoneQuery } from "@/api/phone";
import { selectAccessToken } from "@/api/session";
import type { Product } from "@/api/types";
import { useRefetch } from "@/api/useRefetch";
import * as t from "@/texts/phone";
import { useAnnounce } from "@/ui";

/** The data of a phone's page. */
export interface PhoneView {
  /** The current state; the last known state after it was removed. */
  product: Product | undefined;
  /** It was removed while the page was open. */
  gone: boolean;
  signedIn: boolean;
  failure: ApiError | null;
  isFetching: boolean;
  retry: () => void;
}

/**
 * Loads a phone and keeps it up to date. Signed-in users follow its brand's topic. Visitors may follow the topic
 * "advertised" only; other phones are refetched when the page becomes visible again.
 */
export function usePhone(id: string): PhoneView {
  const signedIn = useSelector(selectAccessToken) !== null;
  const { currentData, error, isFetching } = usePhoneQuery({ id, signedIn });
  const retry = useRefetch(phone, { id, signedIn });
  useLiveList(currentData);
  useLiveTopic(signedIn ? null : "advertised", "");
  const now = currentData?.entities[id];
  const [kept, keep] = useState(now);
  if (now && now !== kept) keep(now);
  const gone = currentData !== undefined && now === undefined;
  const announce = useAnnounce();
  useEffect(() => {
    if (gone) announce(t.noLongerForSale);
  }, [gone, announce]);
  useVisitorRefetch(signedIn ? undefined : now, retry);
  const failure = !currentData && error ? toApiError(error) : null;
  return { product: now ?? kept, gone, signedIn, failure, isFetching, retry };
}

/** Asks again for a visitor's phone when they come back, and when it left the shop window: it may have been deleted. */
function useVisitorRefetch(now: Product | undefined, ask: () => void): void {
  const isShown = now !== undefined;
  const version = now?.version;
  const before = useRef(version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is what it follows
  useEffect(() => {
    if (before.current !== undefined && version !== before.current && now?.advertise === false) ask();
    before.current = version;
  }, [version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect depends on the shown phone only
  useEffect(() => {
    if (!isShown) return;
    const onReturn = () => document.visibilityState === "visible" && ask();
    document.addEventListener("visibilitychange", onReturn);
    window.addEventListener("online", onReturn);
    return () => {
      document.removeEventListener("visibilitychange", onReturn);
      window.removeEventListener("online", onReturn);
    };
  }, [isShown]);
}
