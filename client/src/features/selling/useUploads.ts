import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useUploadImage } from "@/api/images/useUploadImage";
import { Uploads } from "./uploads";

/** The uploads of one form and their states; they are stopped when the form is unmounted. */
export function useUploads() {
  const upload = useUploadImage("phone");
  const uploads = useMemo(() => new Uploads(upload), [upload]);
  useEffect(() => {
    window.addEventListener("online", uploads.retryAfterReconnect);
    return () => {
      window.removeEventListener("online", uploads.retryAfterReconnect);
      uploads.stopAll();
    };
  }, [uploads]);
  return { uploads, uploadStates: useSyncExternalStore(uploads.subscribe, uploads.getSnapshot) };
}
