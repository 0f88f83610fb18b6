import { useEffect, useState } from "react";
import { type ApiError, toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import { useIsSignedIn } from "@/api/me";
import { phone, usePhoneQuery } from "@/api/phone";
import type { Product } from "@/api/types";
import { useRefetch } from "@/api/useRefetch";
import * as t from "@/texts/phone";
import { useAnnounce } from "@/ui";

/** The data of a phone's page. */
interface PhoneView {
  /** The current state; the last known state after it was removed. */
  product: Product | undefined;
  /** It was removed while the page was open. */
  removed: boolean;
  signedIn: boolean;
  failure: ApiError | null;
  isFetching: boolean;
  retry: () => void;
}

/** Loads a phone and keeps it up to date by its brand's topic. */
export function usePhone(id: string): PhoneView {
  const signedIn = useIsSignedIn();
  const { currentData, error, isFetching } = usePhoneQuery({ id, signedIn });
  const retry = useRefetch(phone, { id, signedIn });
  useLiveList(currentData);
  const current = currentData?.entities[id];
  const [lastKnown, setLastKnown] = useState(current);
  if (current && current !== lastKnown) setLastKnown(current);
  const removed = currentData !== undefined && current === undefined;
  const announce = useAnnounce();
  useEffect(() => {
    if (removed) announce(t.noLongerForSale);
  }, [removed, announce]);
  const failure = !currentData && error ? toApiError(error) : null;
  return { product: current ?? lastKnown, removed, signedIn, failure, isFetching, retry };
}
