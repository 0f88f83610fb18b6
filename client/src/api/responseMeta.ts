/** The data in the headers of a response. */
export interface ResponseMeta {
  status: number;
  /** Cursor of the next page, from the Link header. */
  nextCursor: string | null;
  /** X-Total-Count. */
  total: number | null;
  /** X-Searched: the query that the server made instead of the requested one, as a query string. */
  searched: string | null;
  /** X-Left-Out: the words that the server let go, because no phone had all words. */
  leftOut: string[];
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
  const leftOut = headers.get("X-Left-Out");
  return {
    status,
    nextCursor: parseNextCursor(headers.get("Link")),
    total: total === null ? null : Number(total),
    searched: headers.get("X-Searched"),
    leftOut: leftOut ? decodeURIComponent(leftOut).split(" ") : [],
    live: parseLivePosition(headers.get("Live-Position")),
  };
}
