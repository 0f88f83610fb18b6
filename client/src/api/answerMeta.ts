/** What the headers of an answer say beside its body. */
export interface AnswerMeta {
  status: number;
  /** Cursor of the next page, from the Link header. */
  nextCursor: string | null;
  /** X-Total-Count. */
  total: number | null;
  /** From Live-Position: the topic and the position that the body belongs to. */
  live: { topic: string; position: string } | null;
}

/** The cursor in `Link: </path?cursor=…>; rel="next"`. */
function cursorOf(link: string | null): string | null {
  const target = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  return target ? new URL(target, "http://unused").searchParams.get("cursor") : null;
}

/** Parses `topic=position`. A topic's name has no "=". */
function liveOf(header: string | null): AnswerMeta["live"] {
  const at = header?.indexOf("=") ?? -1;
  if (!header || at < 1) return null;
  return { topic: header.slice(0, at), position: header.slice(at + 1) };
}

/** Reads the headers of an answer. */
export function metaOf({ status, headers }: Response): AnswerMeta {
  const total = headers.get("X-Total-Count");
  return {
    status,
    nextCursor: cursorOf(headers.get("Link")),
    total: total === null ? null : Number(total),
    live: liveOf(headers.get("Live-Position")),
  };
}
