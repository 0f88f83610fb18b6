import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useSelector } from "react-redux";
import { useConfigQuery } from "@/api/config";
import { selectAccessToken } from "@/api/session";
import { postImage } from "./upload";
import { Uploads } from "./uploads";

/** The uploads of one form, as they are now. They end with the form. */
export function useUploads() {
  const config = useConfigQuery();
  const token = useSelector(selectAccessToken);
  const now = useRef({ config, token });
  now.current = { config, token };
  const uploads = useMemo(
    () =>
      new Uploads(async (file, signal, onProgress) => {
        const { config, token } = now.current;
        const { imageHost: host } = config.data ?? (await config.refetch().unwrap());
        return postImage({ host, file, token, signal, onProgress });
      }),
    [],
  );
  useEffect(() => {
    window.addEventListener("online", uploads.online);
    return () => {
      window.removeEventListener("online", uploads.online);
      uploads.end();
    };
  }, [uploads]);
  return { uploads, sendings: useSyncExternalStore(uploads.subscribe, uploads.snapshot) };
}
