import { useSelector } from "react-redux";
import { type EventLog, entityKey } from "@/lib/live";

interface Root {
  api: { eventLog: EventLog };
}

/** Whether a live event has removed this phone, whichever lists contain it. */
export function useIsPhoneRemoved(id: string): boolean {
  return useSelector(({ api }: Root) => entityKey("product", id) in api.eventLog.removedVersions);
}
