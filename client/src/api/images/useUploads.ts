import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { ImageUse } from "./postImage";
import { Uploads } from "./uploads";
import { useUploadImage } from "./useUploadImage";

/** The uploads of one form and their states; they are stopped when the form is unmounted. */
export function useUploads(use: ImageUse) {
  const upload = useUploadImage(use);
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
