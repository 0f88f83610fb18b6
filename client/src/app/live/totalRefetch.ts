/** The shortest time from an event to the refetch of a list, milliseconds. The longest is twice this. */
export const REFETCH_DELAY_MS = 5_000;

/**
 * Refetches lists whose total is not known. It collects them for some seconds, so that many events cause one request for
 * each list. The time is random, because all clients that show a list get the event at the same time.
 */
export class TotalRefetch {
  private ids = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | null = null;

  /** `refetch` refetches the lists with these ids, and resolves to false if one failed. */
  constructor(private readonly refetch: (ids: ReadonlySet<string>) => Promise<boolean>) {}

  /** Refetches the lists with these ids later. */
  add(ids: Iterable<string>): void {
    for (const id of ids) this.ids.add(id);
    if (this.ids.size === 0) return;
    this.timer ??= setTimeout(() => void this.run(), REFETCH_DELAY_MS * (1 + Math.random()));
  }

  private async run(): Promise<void> {
    const { ids } = this;
    this.ids = new Set();
    this.timer = null;
    if (!(await this.refetch(ids))) this.add(ids);
  }
}
