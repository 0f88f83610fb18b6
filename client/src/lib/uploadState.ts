/** For the file chooser: this browser turns what it can decode into a JPEG, and the server checks the content. */
export const IMAGE_TYPES = "image/*";

/** Why an upload failed: an HTTP status, 0 without an answer; an error code; and the text to show. */
export interface UploadError {
  status: number;
  code: string;
  message: string;
}

/** The state of an upload. */
export type UploadState =
  | { status: "waiting" }
  /** Bytes; the total is 0 if it is unknown. */
  | { status: "uploading"; sent: number; total: number }
  /** All bytes are sent, and the host processes the image. */
  | { status: "processing" }
  | { status: "uploaded"; url: string }
  /** The person stopped it. */
  | { status: "stopped" }
  /** The host rejected the file; another attempt would fail too. */
  | { status: "rejected"; error: UploadError }
  /** The upload failed; another attempt may succeed. */
  | { status: "failed"; error: UploadError };

/** The states by file; a file that was never started is not included. */
export type UploadStates = ReadonlyMap<File, UploadState>;

/** The code of the error of a file that the browser could not read. Another attempt may succeed. */
export const UNREADABLE = "unreadable_file";
/** The code of the error of a file that can be no photo here. */
export const INVALID = "invalid_file";

/** Whether the message of an error is a whole sentence about the file, with what to do. */
export const isAboutFile = ({ code }: UploadError): boolean => code === UNREADABLE || code === INVALID;
