import { type ApiError, parseErrorBody } from "@/api/errors";
import type { Config } from "@/api/types";

/** An upload without progress for this time is aborted, milliseconds. */
const STALL_TIMEOUT_MS = 60_000;
/** The longest upload to a host of another origin, milliseconds; its progress is unknown. */
const FOREIGN_TIMEOUT_MS = 300_000;

/** What a picture is for: a phone, an account, or the path that takes the photographs of a paid order. */
export type ImageUse = "phone" | "account" | `/orders/${string}/photos`;

/** The parameters of an upload. */
interface Upload {
  host: Config["imageHost"];
  use: ImageUse;
  file: Blob;
  name: string;
  /** The bearer token; it is sent to the own origin only. */
  token: string | null;
  /** Aborts the upload; the promise is then never settled. */
  signal: AbortSignal;
  /** The number of bytes sent, and of all bytes. */
  onProgress: (sent: number, total: number) => void;
}

/** Uploads a photo. Resolves to its URL, rejects with an ApiError. fetch reports no upload progress, so XMLHttpRequest is used. */
export function postImage({ host, use, file, name, token, signal, onProgress }: Upload): Promise<string> {
  const target = targetOf(host, use);
  const isOwnHost = target.origin === window.location.origin;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stallTimer = createTimer(() => {
      request.abort();
      reject(parseErrorBody(408, null));
    });
    request.open("POST", target);
    if (isOwnHost) {
      if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
      // For another origin, a progress listener would cause a CORS preflight request.
      request.upload.addEventListener("progress", ({ loaded, total }) => {
        stallTimer.reset();
        onProgress(loaded, total);
      });
      stallTimer.reset();
    } else {
      request.timeout = FOREIGN_TIMEOUT_MS;
    }
    request.addEventListener("load", () => {
      const result = parseResponse(request.status, request.responseText);
      if (typeof result === "string") resolve(result);
      else reject(result);
    });
    request.addEventListener("timeout", () => reject(parseErrorBody(408, null)));
    request.addEventListener("error", () => reject(parseErrorBody(0, null)));
    request.addEventListener("loadend", stallTimer.end);
    signal.addEventListener("abort", () => request.abort());
    const body = new FormData();
    body.append("image", file, name);
    request.send(body);
  });
}

/**
 * Where a picture is sent. The built-in host has a path of its own for the picture of an account, which buyers have, too.
 * The photographs of an order are private: no other host gets them.
 */
function targetOf(host: Upload["host"], use: ImageUse): URL {
  const { origin } = window.location;
  if (use !== "phone" && use !== "account") return new URL(use, origin);
  const target = new URL(host.url, origin);
  target.searchParams.set("key", host.key);
  if (use === "account" && target.origin === origin) target.pathname += "/account";
  return target;
}

/** The URL in the host's response, or the error. */
function parseResponse(status: number, text: string): string | ApiError {
  let body: { success?: boolean; data?: { url?: string }; error?: { message?: string } } | null = null;
  try {
    body = JSON.parse(text);
  } catch {
    // The body of a proxy's error page is not JSON.
  }
  if (status >= 200 && status < 300 && body?.success && body.data?.url) return body.data.url;
  return parseErrorBody(status, body?.error?.message ? body.error : body);
}

function createTimer(onTimeout: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  const reset = () => {
    end();
    timer = setTimeout(onTimeout, STALL_TIMEOUT_MS);
  };
  return { reset, end };
}
