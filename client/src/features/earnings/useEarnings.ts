import { useEffect, useRef } from "react";
import { useDispatch, useSelector } from "react-redux";
import type { LiveState } from "@/api/liveReducer";
import { refetchLists } from "@/api/refetchLists";
import { useList } from "@/api/useList";
import { earnings, MINE } from "./endpoints";

/** The versions of the orders that events on the signed-in user's topic were about. */
const selectOrderVersions = ({ eventLog }: LiveState): string =>
  Object.values(eventLog.recentEvents.me ?? {})
    .filter(({ type }) => type === "booking.changed")
    .map(({ data }) => `${data._id} ${data.version}`)
    .join();

/** The signed-in seller's earnings. They are fetched again when an event says that an order has changed. */
export function useEarnings() {
  const view = useList(earnings, MINE);
  const dispatch = useDispatch();
  const versions = useSelector(selectOrderVersions);
  const seen = useRef(versions);
  useEffect(() => {
    if (seen.current === versions) return;
    seen.current = versions;
    void dispatch(refetchLists(({ kind }) => kind === "earnings") as never);
  }, [versions, dispatch]);
  return view;
}
