import { listHidden, listShown } from "@/api/shownLists";
import type { AppStore } from "@/app/store";
import type { Connection, Entity, LiveList } from "@/lib/live";
import { brandTopics, type View, watchedIds } from "./views";

const watching = watchedIds();
const selectWatching = watching.endpoint.select(watching.arg);

/** The result of dispatching RTK Query's `initiate`. */
type QuerySubscription = Promise<unknown> & { unsubscribe(): void };

/**
 * An open view: it subscribes to the query and to the topics as the hooks useListIds, useLiveTopic and useLiveTopics do
 * (src/api), without React.
 */
export class Screen {
  private readonly query: QuerySubscription;
  private readonly select: ReturnType<View["endpoint"]["select"]>;
  private otherTopics: readonly string[] = [];
  private unsubscribeOthers: (() => void)[] = [];
  private readonly unsubscribe: () => void;
  /** The topic that the response named, once it is subscribed. */
  private topic: { name: string; unsubscribe: () => void } | null = null;
  /** The id of the list in `shownLists`. */
  private shownId: string | undefined;
  private reportedState = "";
  /** The last dependencies of useRefetchIfMissing (WatchedPhones). */
  private missingState = "";

  constructor(
    private readonly store: AppStore,
    private readonly connection: Connection,
    readonly view: View,
  ) {
    this.select = view.endpoint.select(view.arg);
    this.query = store.dispatch(view.endpoint.initiate(view.arg) as never) as unknown as QuerySubscription;
    this.unsubscribe = store.subscribe(() => this.onStoreChange());
    this.onStoreChange();
  }

  /** The list, once it is loaded. */
  get list(): LiveList | undefined {
    return this.entry.data;
  }

  /** What is shown of the list. */
  get shown(): LiveList | undefined {
    const { list } = this;
    if (!list || !this.view.isWatched) return list;
    const ids = this.watchedPhones.toReversed().filter((id) => id in list.entities);
    return { ...list, ids, total: ids.length };
  }

  /** The error if nothing could be loaded. */
  get failure(): unknown {
    return this.entry.status === "rejected" && !this.list ? this.entry.error : undefined;
  }

  /** Whether a retry may succeed: not after 404 or 403. */
  get isRetryable(): boolean {
    const { status = 0 } = (this.failure ?? {}) as { status?: number };
    return status === 0 || status === 429 || status >= 500;
  }

  /** Whether a request is running. */
  get isPending(): boolean {
    return this.entry.status === "pending";
  }

  /** Resolves after the first response or error. */
  async ready(): Promise<void> {
    await this.query.catch(() => undefined);
  }

  /** Fetches the first page again. */
  async refetch(): Promise<void> {
    await this.fetch(this.view.arg);
  }

  /** Loads the next page, if there is one. */
  async loadMore(): Promise<boolean> {
    const cursor = this.list?.nextCursor;
    if (!cursor || this.isPending) return false;
    await this.fetch({ ...this.view.arg, cursor });
    return true;
  }

  /** Closes the screen. */
  close(): void {
    this.unsubscribe();
    this.query.unsubscribe();
    this.setShownId(undefined);
    this.topic?.unsubscribe();
    for (const unsubscribe of this.unsubscribeOthers) unsubscribe();
  }

  private get entry() {
    return this.select(this.store.getState());
  }

  private get watching() {
    const list = selectWatching(this.store.getState()).data;
    return list?.entities[list.ids[0] ?? ""] as (Entity & { phones: string[] }) | undefined;
  }

  private get watchedPhones(): string[] {
    return this.watching?.phones ?? [];
  }

  private async fetch(arg: unknown): Promise<void> {
    const call = this.view.endpoint.initiate(arg, { forceRefetch: true, subscribe: false });
    await (this.store.dispatch(call as never) as unknown as Promise<unknown>);
  }

  /** The same as useShownList. */
  private setShownId(id: string | undefined): void {
    const before = this.shownId;
    if (before === id) return;
    this.shownId = id;
    if (before !== undefined) this.store.dispatch(listHidden(before));
    if (id !== undefined) this.store.dispatch(listShown(id));
  }

  /** The same as useLiveTopics. */
  private subscribeOthers(topics: readonly string[]): void {
    if (topics.join(" ") === this.otherTopics.join(" ")) return;
    for (const unsubscribe of this.unsubscribeOthers) unsubscribe();
    this.otherTopics = topics;
    this.unsubscribeOthers = topics.map((topic) => this.connection.subscribe(topic, ""));
  }

  /** The same as useRefetchIfMissing. */
  private refetchIfMissing(): void {
    const { list, shown } = this;
    const isPhoneMissing = list?.nextCursor === null && (shown?.ids.length ?? 0) < this.watchedPhones.length;
    const state = `${isPhoneMissing} ${this.watching?.version}`;
    if (state === this.missingState) return;
    this.missingState = state;
    if (isPhoneMissing) void this.refetch();
  }

  private onStoreChange(): void {
    this.setShownId(this.list?.id);
    this.subscribeOthers(this.view.isWatched ? brandTopics(this.list).sort() : this.view.topics);
    const { topic = null, position = null, startedAt = 0 } = this.list ?? {};
    const named = topic !== null && position !== null ? topic : null;
    if (this.topic && this.topic.name !== named) {
      this.topic.unsubscribe();
      this.topic = null;
    }
    if (named !== null && !this.topic) {
      this.topic = { name: named, unsubscribe: this.connection.subscribe(named, position ?? "", startedAt) };
    }
    const state = `${named} ${position} ${startedAt} ${this.otherTopics}`;
    if (state !== this.reportedState) {
      this.reportedState = state;
      if (named !== null) this.connection.listFetched(named, position ?? "", startedAt);
      for (const other of this.otherTopics) this.connection.listFetched(other, "", startedAt);
    }
    if (this.view.isWatched) this.refetchIfMissing();
  }
}
