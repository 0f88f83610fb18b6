import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useSelector } from "react-redux";
import { useConfigQuery } from "@/api/config";
import { selectAccessToken } from "@/api/sessionSlice";
import { postImage } from "./postImage";
import { prepareImage, readStart } from "./prepareImage";
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
        const image = await prepareImage(file);
        const { config, token } = latest.current;
        const { imageHost: host } = config.data ?? (await config.refetch().unwrap());
        if (signal.aborted) throw signal.reason;
        try {
          return await postImage({ host, file: image, name: file.name, token, signal, onProgress });
        } catch (error) {
          // A file that was moved during the upload looks like an interrupted connection.
          await readStart(image, 1);
          throw error;
        }
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
