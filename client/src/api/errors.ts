import * as t from "@/texts/api";

/** A failed call, as every screen gets it. */
export interface ApiError {
  /** HTTP status; 0 when the server could not be reached. */
  status: number;
  /** For people: the server's own words where it sent any. */
  message: string;
  /** For programs: the server's code, or "network", "unknown". */
  code: string;
  /** What is wrong with a payload, by field name. */
  fields?: Record<string, string>;
}

/** Tells an ApiError from anything else a query may reject with. */
export function isApiError(error: unknown): error is ApiError {
  return (
    typeof error === "object" && error !== null && "status" in error && "message" in error && "code" in error
  );
}

/** Turns whatever a call failed with into an ApiError; a failure in our own code keeps its message. */
export function toApiError(error: unknown): ApiError {
  if (isApiError(error)) return error;
  const message =
    typeof error === "object" && error !== null && "message" in error && typeof error.message === "string"
      ? error.message
      : t.unexplained;
  return { status: 0, message, code: "unknown" };
}

/** The words to show for a failure. */
export function messageOf(error: unknown): string {
  return toApiError(error).message;
}

/** Reads a failed answer's body {message, code, fields?}; anything else gets our own words. */
export function errorOfBody(status: number, body: unknown): ApiError {
  const { message, code, fields } = (typeof body === "object" && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const error: ApiError = {
    status,
    message: typeof message === "string" && message !== "" ? message : t.unexplained,
    code: typeof code === "string" ? code : "unknown",
  };
  if (typeof fields === "object" && fields !== null) error.fields = fields as Record<string, string>;
  return error;
}
