import { useSelector } from "react-redux";
import { type EventLog, entityKey } from "@/lib/live";

interface Root {
  eventLog: EventLog;
}

/** Whether a live event has removed this phone, whichever lists contain it. */
export function useIsPhoneRemoved(id: string): boolean {
  return useSelector(({ eventLog }: Root) => entityKey("product", id) in eventLog.removedVersions);
}
