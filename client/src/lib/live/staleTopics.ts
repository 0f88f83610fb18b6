import { backoff } from "@/lib/backoff";
import { steadyNow } from "@/lib/serverTime";

/** Resyncs of a topic within this time count as consecutive, milliseconds. */
const RESYNC_WINDOW_MS = 10_000;
/** After this many consecutive resyncs the lists are refetched at once; after further ones with growing delays. */
const MAX_IMMEDIATE_RESYNCS = 2;

/** The calls that refetch lists; each resolves to false when a list failed. */
interface RefetchCalls {
  refetchLists(topics: readonly string[]): Promise<boolean>;
  refetchUnpositioned(topics: readonly string[]): Promise<boolean>;
  /** 0 to 1. */
  random(): number;
}

/** The topics whose lists may be outdated. Refetches these lists until that succeeds. */
export class StaleTopics {
  /** Without those that are being refetched: a resync meanwhile adds its topic again. */
  private readonly topics = new Set<string>();
  private readonly resyncs = new Map<string, { count: number; at: number }>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private failures = 0;

  constructor(private readonly calls: RefetchCalls) {}

  get all(): string[] {
    return [...this.topics];
  }

  /** The server sent a resync for these topics: their lists are refetched, at once unless that happens often. */
  resync(topics: readonly string[]): void {
    for (const topic of topics) this.topics.add(topic);
    const recent = Math.max(...topics.map((topic) => this.countResync(topic)));
    if (recent < MAX_IMMEDIATE_RESYNCS) void this.refetch();
    else this.refetchLater(recent - MAX_IMMEDIATE_RESYNCS + 1);
  }

  /** Refetches the lists of all stale topics, in one call: a list of several topics is fetched once. */
  async refetch(): Promise<void> {
    const topics = this.all;
    this.topics.clear();
    if (topics.length > 0) await this.trackResult(topics, this.calls.refetchLists(topics));
  }

  /** These topics were confirmed: what was fetched without a position before that is refetched. */
  async refetchUnpositioned(topics: readonly string[]): Promise<void> {
    await this.trackResult(topics, this.calls.refetchUnpositioned(topics));
  }

  /** No screen uses these topics any more. */
  remove(topics: readonly string[]): void {
    for (const topic of topics) this.topics.delete(topic);
  }

  /** Cancels the planned refetch. */
  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private async trackResult(topics: readonly string[], call: Promise<boolean>): Promise<void> {
    if (await call.catch(() => false)) {
      if (this.topics.size === 0) this.failures = 0;
      return;
    }
    for (const topic of topics) this.topics.add(topic);
    this.refetchLater(++this.failures);
  }

  private refetchLater(attempt: number): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = null;
        void this.refetch();
      },
      backoff(attempt, this.calls.random()),
    );
  }

  /** Counts a resync of the topic. Returns how many came shortly before it. */
  private countResync(topic: string): number {
    const now = steadyNow();
    const { count, at } = this.resyncs.get(topic) ?? { count: 0, at: 0 };
    const recent = now - at > RESYNC_WINDOW_MS ? 0 : count;
    this.resyncs.set(topic, { count: recent + 1, at: now });
    return recent;
  }
}
