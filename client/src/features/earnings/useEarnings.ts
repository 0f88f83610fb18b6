import { useEffect, useRef } from "react";
import { useDispatch, useSelector } from "react-redux";
import type { LiveRoot } from "@/api/liveReducer";
import { type ListDispatch, ofKind, refetchLists } from "@/api/refetchLists";
import { useList } from "@/api/useList";
import { earnings, MINE, type SUMS } from "./endpoints";

/** The orders that events on the signed-in user's topic were about, and the notifications about their account at Stripe. */
const selectVersions = ({ eventLog }: LiveRoot): string =>
  Object.values(eventLog.recentEvents.me ?? {})
    .filter(({ type, data }) => type === "booking.changed" || data.link === "/dashboard/earnings")
    .map(({ data }) => `${data._id} ${data.version}`)
    .join();

/** The signed-in seller's earnings. They are fetched again when an event says that they may have changed. */
export function useEarnings(arg: typeof MINE | typeof SUMS = MINE) {
  const view = useList(earnings, arg);
  const dispatch = useDispatch<ListDispatch>();
  const versions = useSelector(selectVersions);
  const seen = useRef(versions);
  // The first response may have been sent before an event that arrives during its request.
  const isLoaded = view.list !== undefined;
  useEffect(() => {
    if (!isLoaded || seen.current === versions) return;
    seen.current = versions;
    void dispatch(refetchLists(ofKind("earnings")));
  }, [versions, isLoaded, dispatch]);
  return view;
}
