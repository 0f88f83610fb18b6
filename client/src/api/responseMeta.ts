/** The data in the headers of a response. */
export interface ResponseMeta {
  status: number;
  /** Cursor of the next page, from the Link header. */
  nextCursor: string | null;
  /** X-Total-Count. */
  total: number | null;
  /** X-Corrected-Query: the words that the server searched instead of the requested ones. */
  corrected: string | null;
  /** From Live-Position: the topic, and its position at the time of the response. */
  live: { topic: string; position: string } | null;
}

/** The cursor in `Link: </path?cursor=…>; rel="next"`. */
function parseNextCursor(link: string | null): string | null {
  const target = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  return target ? new URL(target, "http://unused").searchParams.get("cursor") : null;
}

/** Parses `topic=position`. The name of a topic contains no "=". */
function parseLivePosition(header: string | null): ResponseMeta["live"] {
  const separator = header?.indexOf("=") ?? -1;
  if (!header || separator < 1) return null;
  return { topic: header.slice(0, separator), position: header.slice(separator + 1) };
}

/** Parses the headers of a response. */
export function parseResponseMeta({ status, headers }: Response): ResponseMeta {
  const total = headers.get("X-Total-Count");
  const corrected = headers.get("X-Corrected-Query");
  return {
    status,
    nextCursor: parseNextCursor(headers.get("Link")),
    total: total === null ? null : Number(total),
    corrected: corrected && decodeURIComponent(corrected),
    live: parseLivePosition(headers.get("Live-Position")),
  };
}
