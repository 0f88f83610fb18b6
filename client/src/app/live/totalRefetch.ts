import { backoff } from "@/lib/backoff";

/** The shortest time from an event to the refetch of a list, milliseconds. The longest is twice this. */
export const REFETCH_DELAY_MS = 5_000;

/**
 * Refetches lists whose total is not known. It collects them for some seconds, so that many events cause one request for
 * each list. The time is random, because all clients that show a list get the event at the same time.
 */
export class TotalRefetch {
  private ids = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private failures = 0;

  /** `refetch` refetches the lists with these ids, and resolves to false if one failed. */
  constructor(private readonly refetch: (ids: ReadonlySet<string>) => Promise<boolean>) {}

  /** Refetches the lists with these ids later. */
  add(ids: Iterable<string>): void {
    for (const id of ids) this.ids.add(id);
    if (this.ids.size === 0) return;
    const delay = this.failures > 0 ? backoff(this.failures, Math.random()) : 0;
    this.timer ??= setTimeout(() => void this.run(), delay + REFETCH_DELAY_MS * (1 + Math.random()));
  }

  private async run(): Promise<void> {
    const { ids } = this;
    this.ids = new Set();
    this.timer = null;
    const isDone = await this.refetch(ids);
    this.failures = isDone ? 0 : this.failures + 1;
    if (!isDone) this.add(ids);
  }
}
