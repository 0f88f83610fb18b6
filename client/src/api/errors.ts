import * as t from "@/texts/api";
import type { Decision } from "./types";

/** The error of a failed call, in the form that every screen gets. */
export interface ApiError {
  /** HTTP status; 0 when the server could not be reached. */
  status: number;
  /** The text to show: the server's, if it sent one. */
  message: string;
  /** The server's error code, or "network", "offline" (the call was not sent) or "unknown". */
  code: string;
  /** The error of each invalid field, by field name. */
  fields?: Record<string, string>;
  /** Of a sign-in: the decision that has closed the account, and the token with which one can appeal. */
  closed?: { decision: Decision; token: string };
}

/** Whether a rejected value is an ApiError. */
function isApiError(error: unknown): error is ApiError {
  return (
    typeof error === "object" && error !== null && "status" in error && "message" in error && "code" in error
  );
}

/** Converts the error of a failed call to an ApiError; an error of our own code keeps its message. */
export function toApiError(error: unknown): ApiError {
  if (isApiError(error)) return error;
  const message =
    typeof error === "object" && error !== null && "message" in error && typeof error.message === "string"
      ? error.message
      : t.serverError;
  return { status: 0, message, code: "unknown" };
}

/** The message to show for an error. */
export function errorMessage(error: unknown): string {
  return toApiError(error).message;
}

/** Parses the body {message, code, fields?, decision?, token?} of an error response; any other body gets our own message. */
export function parseErrorBody(status: number, body: unknown): ApiError {
  const { message, code, fields, decision, token } = (
    typeof body === "object" && body !== null ? body : {}
  ) as Record<string, unknown>;
  const error: ApiError = {
    status,
    message: typeof message === "string" && message !== "" ? message : t.serverError,
    code: typeof code === "string" ? code : "unknown",
  };
  if (decision && typeof token === "string") error.closed = { decision: decision as Decision, token };
  if (typeof fields === "object" && fields !== null) error.fields = fields as Record<string, string>;
  return error;
}
