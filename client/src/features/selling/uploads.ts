import { type ApiError, parseErrorBody, toApiError } from "@/api/errors";
import { IMAGE_MAX_BYTES, IMAGE_TYPES } from "./imageLimits";

/** How far a photograph has come on its way to the image host. */
export type UploadState =
  | { is: "waiting" }
  /** Bytes; a total of 0 where nobody says. */
  | { is: "sending"; sent: number; total: number }
  /** All of it has left, and the host makes its copies. */
  | { is: "developing" }
  | { is: "there"; url: string }
  /** By the seller. */
  | { is: "stopped" }
  /** The host will not have it: sending it again is no use. */
  | { is: "refused"; error: ApiError }
  /** It did not get there. */
  | { is: "failed"; error: ApiError };

/** By file; one that was never sent is not in it. */
export type UploadStates = ReadonlyMap<File, UploadState>;

/** Sends one file; rejects with an ApiError. */
type Post = (
  file: File,
  signal: AbortSignal,
  onProgress: (sent: number, total: number) => void,
) => Promise<string>;

/** As many are under way at once: more would only make each slower. */
const AT_ONCE = 2;
/** What the host says of a file, and not of the moment. */
const FOR_GOOD = new Set([413, 415, 422]);
const UNDER_WAY = new Set<UploadState["is"]>(["waiting", "sending", "developing"]);

/** The photographs of one form on their way, each by itself: what happens to one does not touch the others. */
export class Uploads {
  private states: UploadStates = new Map();
  private readonly running = new Map<File, AbortController>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly post: Post) {}

  /** For useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  /** For useSyncExternalStore: the same map until something changes. */
  readonly snapshot = (): UploadStates => this.states;

  /** Sends a file, or sends it again; one that is there or under way is left alone. */
  start(file: File): void {
    const now = this.states.get(file)?.is;
    if (now === "there" || now === "refused" || (now && UNDER_WAY.has(now))) return;
    const hopeless = lookAt(file);
    this.set(file, hopeless ? { is: "refused", error: hopeless } : { is: "waiting" });
    this.next();
  }

  /** Ends the sending of a file that has not got there. */
  stop(file: File): void {
    const now = this.states.get(file)?.is;
    if (!now || !UNDER_WAY.has(now)) return;
    this.running.get(file)?.abort();
    this.running.delete(file);
    this.set(file, { is: "stopped" });
    this.next();
  }

  /** Sends again what failed while there was no connection. */
  readonly online = (): void => {
    for (const [file, state] of this.states) {
      if (state.is === "failed" && state.error.status === 0) this.start(file);
    }
  };

  /** Ends everything: the form is left. */
  readonly end = (): void => {
    for (const file of this.states.keys()) this.stop(file);
  };

  /** Sends those that have not begun, and waits until none of the files is under way. Resolves to how many are not there. */
  async settled(files: readonly File[]): Promise<number> {
    for (const file of files) if (!this.states.has(file)) this.start(file);
    const isUnderWay = (file: File) => UNDER_WAY.has(this.states.get(file)?.is ?? "stopped");
    while (files.some(isUnderWay)) await new Promise<void>((done) => this.once(done));
    return files.filter((file) => this.states.get(file)?.is !== "there").length;
  }

  private once(done: () => void): void {
    const unsubscribe = this.subscribe(() => {
      unsubscribe();
      done();
    });
  }

  private next(): void {
    for (const [file, state] of this.states) {
      if (this.running.size >= AT_ONCE) return;
      if (state.is === "waiting") void this.send(file);
    }
  }

  private async send(file: File): Promise<void> {
    const control = new AbortController();
    this.running.set(file, control);
    /** Reports of an upload that was stopped are ignored, also when it was started again. */
    const say = (state: UploadState) => this.running.get(file) === control && this.set(file, state);
    say({ is: "sending", sent: 0, total: 0 });
    try {
      const url = await this.post(file, control.signal, (sent, total) =>
        say(total > 0 && sent >= total ? { is: "developing" } : { is: "sending", sent, total }),
      );
      say({ is: "there", url });
    } catch (thrown) {
      const error = toApiError(thrown);
      say({ is: FOR_GOOD.has(error.status) ? "refused" : "failed", error });
    }
    if (this.running.get(file) === control) this.running.delete(file);
    this.next();
  }

  private set(file: File, state: UploadState): void {
    this.states = new Map(this.states).set(file, state);
    for (const listener of [...this.listeners]) listener();
  }
}

/** What the host would say of a file, without asking it; null where it has to be asked. */
function lookAt({ size, type }: File): ApiError | null {
  if (size > IMAGE_MAX_BYTES) return parseErrorBody(413, null);
  if (type !== "" && !IMAGE_TYPES.split(",").includes(type)) return parseErrorBody(415, null);
  return null;
}
