import { backoff } from "./backoff";

/** Resyncs of a topic within this time count as consecutive, milliseconds. */
const RESYNC_MS = 10_000;
/** This many consecutive resyncs are answered at once; the lists are refetched after growing pauses from then on. */
const RESYNCS_AT_ONCE = 2;

/** The calls that refetch lists; each resolves to false when a list failed. */
interface Calls {
  refetch(topics: readonly string[]): Promise<boolean>;
  subscribed(topics: readonly string[]): Promise<boolean>;
  /** 0 to 1. */
  random(): number;
}

/** The topics whose lists may be outdated. Refetches these lists until that has succeeded. */
export class StaleTopics {
  private readonly topics = new Set<string>();
  private readonly resyncs = new Map<string, { count: number; at: number }>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private failures = 0;

  constructor(private readonly calls: Calls) {}

  get all(): string[] {
    return [...this.topics];
  }

  /** History does not cover these topics: their lists are refetched, at once unless that happens often. */
  resync(topics: readonly string[]): void {
    for (const topic of topics) this.topics.add(topic);
    const earlier = Math.max(...topics.map((topic) => this.countResync(topic)));
    if (earlier < RESYNCS_AT_ONCE) void this.refetch();
    else this.refetchLater(earlier - RESYNCS_AT_ONCE + 1);
  }

  /** Refetches the lists of all stale topics, in one call: a list of several topics is fetched once. */
  async refetch(): Promise<void> {
    const topics = this.all;
    if (topics.length > 0) await this.finish(topics, this.calls.refetch(topics));
  }

  /** These topics are in force: what was fetched without a position before that is refetched. */
  async subscribed(topics: readonly string[]): Promise<void> {
    for (const topic of topics) this.topics.add(topic);
    await this.finish(topics, this.calls.subscribed(topics));
  }

  /** No screen needs these topics any more. */
  drop(topics: readonly string[]): void {
    for (const topic of topics) this.topics.delete(topic);
  }

  /** Cancels a refetch that waits. */
  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private async finish(topics: readonly string[], call: Promise<boolean>): Promise<void> {
    if (await call.catch(() => false)) {
      this.drop(topics);
      if (this.topics.size === 0) this.failures = 0;
      return;
    }
    // Another call may have removed them meanwhile.
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

  /** How many resyncs of the topic came shortly before this one. */
  private countResync(topic: string): number {
    const now = Date.now();
    const { count, at } = this.resyncs.get(topic) ?? { count: 0, at: 0 };
    const earlier = now - at > RESYNC_MS ? 0 : count;
    this.resyncs.set(topic, { count: earlier + 1, at: now });
    return earlier;
  }
}
