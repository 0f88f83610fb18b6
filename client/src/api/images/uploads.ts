import { toApiError } from "@/api/errors";
import { UNREADABLE, type UploadError, type UploadState, type UploadStates } from "@/lib/uploadState";
import type { UploadImage } from "./useUploadImage";

/** The number of simultaneous uploads; more would only make each one slower. */
const MAX_CONCURRENT = 2;
/** Statuses that concern the file, so that another attempt would fail too. */
const PERMANENT_STATUSES = new Set([413, 415, 422]);
const ACTIVE_STATUSES = new Set<UploadState["status"]>(["waiting", "uploading", "processing"]);

/** Whether the upload failed because of the network. */
const isUnreachable = ({ status, code }: UploadError) => status === 0 && code !== UNREADABLE;

/** The uploads of one form; they are independent of each other. */
export class Uploads {
  private states: UploadStates = new Map();
  private readonly running = new Map<File, AbortController>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly post: UploadImage) {}

  /** For useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  /** For useSyncExternalStore: the same map until something changes. */
  readonly getSnapshot = (): UploadStates => this.states;

  /** Starts or repeats the upload of a file; does nothing if it is uploaded or active. */
  start(file: File): void {
    const status = this.states.get(file)?.status;
    if (status === "uploaded" || status === "rejected" || (status && ACTIVE_STATUSES.has(status))) return;
    this.set(file, { status: "waiting" });
    this.startNext();
  }

  /** Stops the upload of a file. */
  stop(file: File): void {
    const status = this.states.get(file)?.status;
    if (!status || !ACTIVE_STATUSES.has(status)) return;
    this.running.get(file)?.abort();
    this.running.delete(file);
    this.set(file, { status: "stopped" });
    this.startNext();
  }

  /** Repeats the uploads that failed because of the network. */
  readonly retryAfterReconnect = (): void => {
    for (const [file, state] of this.states) {
      if (state.status === "failed" && isUnreachable(state.error)) this.start(file);
    }
  };

  /** Stops all uploads. */
  readonly stopAll = (): void => {
    for (const file of this.states.keys()) this.stop(file);
  };

  /** Starts the missing uploads and waits until none is active. Resolves to the number of files that are not uploaded. */
  async waitForAll(files: readonly File[]): Promise<number> {
    for (const file of files) if (!this.states.has(file)) this.start(file);
    const isActive = (file: File) => ACTIVE_STATUSES.has(this.states.get(file)?.status ?? "stopped");
    while (files.some(isActive)) await new Promise<void>((done) => this.once(done));
    return files.filter((file) => this.states.get(file)?.status !== "uploaded").length;
  }

  private once(done: () => void): void {
    const unsubscribe = this.subscribe(() => {
      unsubscribe();
      done();
    });
  }

  private startNext(): void {
    for (const [file, state] of this.states) {
      if (this.running.size >= MAX_CONCURRENT) return;
      if (state.status === "waiting") void this.upload(file);
    }
  }

  private async upload(file: File): Promise<void> {
    const controller = new AbortController();
    this.running.set(file, controller);
    /** Sets the state, unless the upload was stopped, and possibly started again. */
    const report = (state: UploadState) => this.running.get(file) === controller && this.set(file, state);
    report({ status: "uploading", sent: 0, total: 0 });
    try {
      const url = await this.post(file, controller.signal, (sent, total) =>
        report(total > 0 && sent >= total ? { status: "processing" } : { status: "uploading", sent, total }),
      );
      report({ status: "uploaded", url });
    } catch (reason) {
      const error = toApiError(reason);
      report({ status: PERMANENT_STATUSES.has(error.status) ? "rejected" : "failed", error });
    }
    if (this.running.get(file) === controller) this.running.delete(file);
    this.startNext();
  }

  private set(file: File, state: UploadState): void {
    this.states = new Map(this.states).set(file, state);
    for (const listener of [...this.listeners]) listener();
  }
}
