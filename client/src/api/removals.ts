import { useSelector } from "react-redux";
import { type EventLog, entityKey } from "@/lib/live";

interface Root {
  eventLog: EventLog;
}

/** Whether a live event has removed this phone, whichever lists contain it, and it has not come back. */
export function useIsPhoneRemoved(id: string): boolean {
  const key = entityKey("product", id);
  return useSelector(
    ({ eventLog: { removedVersions, returned } }: Root) => key in removedVersions && !returned[key],
  );
}
