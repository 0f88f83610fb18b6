import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useSelector } from "react-redux";
import { useConfigQuery } from "@/api/config";
import { selectAccessToken } from "@/api/sessionSlice";
import { postImage } from "./postImage";
import { Uploads } from "./uploads";

/** The uploads of one form and their states; they are stopped when the form is unmounted. */
export function useUploads() {
  const config = useConfigQuery();
  const token = useSelector(selectAccessToken);
  const latest = useRef({ config, token });
  latest.current = { config, token };
  const uploads = useMemo(
    () =>
      new Uploads(async (file, signal, onProgress) => {
        const { config, token } = latest.current;
        const { imageHost: host } = config.data ?? (await config.refetch().unwrap());
        return postImage({ host, file, token, signal, onProgress });
      }),
    [],
  );
  useEffect(() => {
    window.addEventListener("online", uploads.retryAfterReconnect);
    return () => {
      window.removeEventListener("online", uploads.retryAfterReconnect);
      uploads.stopAll();
    };
  }, [uploads]);
  return { uploads, uploadStates: useSyncExternalStore(uploads.subscribe, uploads.getSnapshot) };
}
