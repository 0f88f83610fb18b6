import { useCallback, useRef } from "react";
import { useSelector } from "react-redux";
import { useConfigQuery } from "@/api/config";
import { selectAccessToken } from "@/api/sessionSlice";
import { type ImageUse, postImage } from "./postImage";
import { prepareImage, readStart } from "./prepareImage";

/**
 * Uploads a file to the image host; resolves to its URL, rejects with an ApiError. `onProgress` gets the number of bytes
 * sent, and of all bytes.
 */
export type UploadImage = (
  file: File,
  signal: AbortSignal,
  onProgress: (sent: number, total: number) => void,
) => Promise<string>;

/** The function that uploads pictures, always the same one. */
export function useUploadImage(use: ImageUse): UploadImage {
  const config = useConfigQuery();
  const token = useSelector(selectAccessToken);
  const latest = useRef({ config, token });
  latest.current = { config, token };
  return useCallback(
    async (file, signal, onProgress) => {
      const image = await prepareImage(file);
      const { config, token } = latest.current;
      const { imageHost: host } = config.data ?? (await config.refetch().unwrap());
      if (signal.aborted) throw signal.reason;
      try {
        return await postImage({ host, use, file: image, name: file.name, token, signal, onProgress });
      } catch (error) {
        // A file that was moved during the upload looks like an interrupted connection.
        await readStart(image, 1);
        throw error;
      }
    },
    [use],
  );
}
