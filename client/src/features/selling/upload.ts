import { type ApiError, parseErrorBody } from "@/api/errors";
import type { Config } from "@/api/types";

/** Nothing got through for this long, milliseconds: the line is as good as dead. */
const STALL_MS = 60_000;
/** As long may a foreign host take altogether: of its progress we are not told. */
const FOREIGN_MS = 300_000;

/** A photograph on its way to the image host. */
export interface Upload {
  host: Config["imageHost"];
  file: File;
  /** The bearer; it goes to the own origin only. */
  token: string | null;
  /** Ends it; the promise then stays open for ever. */
  signal: AbortSignal;
  /** Bytes that have left, and bytes in all. */
  onProgress: (sent: number, total: number) => void;
}

/** Posts a photograph; resolves to its address, rejects with an ApiError. Only XMLHttpRequest tells how far it is. */
export function postImage({ host, file, token, signal, onProgress }: Upload): Promise<string> {
  const target = new URL(host.url, window.location.origin);
  target.searchParams.set("key", host.key);
  const own = target.origin === window.location.origin;
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const stall = watchdog(() => {
      call.abort();
      reject(parseErrorBody(408, null));
    });
    call.open("POST", target);
    if (own) {
      if (token) call.setRequestHeader("Authorization", `Bearer ${token}`);
      // Listening to a foreign upload would make the browser ask that host for leave first.
      call.upload.addEventListener("progress", ({ loaded, total }) => {
        stall.reset();
        onProgress(loaded, total);
      });
      stall.reset();
    } else {
      call.timeout = FOREIGN_MS;
    }
    call.addEventListener("load", () => {
      const answer = answerOf(call.status, call.responseText);
      if (typeof answer === "string") resolve(answer);
      else reject(answer);
    });
    call.addEventListener("timeout", () => reject(parseErrorBody(408, null)));
    call.addEventListener("error", () => reject(parseErrorBody(0, null)));
    call.addEventListener("loadend", stall.end);
    signal.addEventListener("abort", () => call.abort());
    const body = new FormData();
    body.append("image", file);
    call.send(body);
  });
}

/** The address in the host's answer, or why there is none. */
function answerOf(status: number, text: string): string | ApiError {
  let body: { success?: boolean; data?: { url?: string }; error?: { message?: string } } | null = null;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy's page, say: the status speaks.
  }
  if (status >= 200 && status < 300 && body?.success && body.data?.url) return body.data.url;
  return parseErrorBody(status, body?.error?.message ? body.error : body);
}

function watchdog(bark: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  const reset = () => {
    end();
    timer = setTimeout(bark, STALL_MS);
  };
  return { reset, end };
}
