import { listHidden, listShown } from "@/api/shownLists";
import type { AppStore } from "@/app/store";
import type { Connection, LiveList } from "@/lib/live";
import type { View } from "./views";

/** A query that is held: RTK Query's own promise, as far as it is used. */
type HeldQuery = Promise<unknown> & { unsubscribe(): void };

/**
 * A look as a screen keeps it: it holds the query and follows the topics, step by step as useListIds with
 * useLiveTopic and useLiveTopics do (src/api), without React around it.
 */
export class Screen {
  private readonly query: HeldQuery;
  private readonly select: ReturnType<View["endpoint"]["select"]>;
  private readonly unfollow: (() => void)[];
  private readonly unsubscribe: () => void;
  /** The topic that the answer named, once it is followed. */
  private topic: { name: string; leave: () => void } | null = null;
  /** The id under which the list is counted as shown. */
  private shownAs: string | undefined;
  private told = "";

  constructor(
    private readonly store: AppStore,
    private readonly connection: Connection,
    readonly look: View,
  ) {
    this.select = look.endpoint.select(look.arg);
    this.query = store.dispatch(look.endpoint.initiate(look.arg) as never) as unknown as HeldQuery;
    this.unfollow = look.topics.map((topic) => connection.subscribe(topic, ""));
    this.unsubscribe = store.subscribe(() => this.follow());
    this.follow();
  }

  /** The list, once it is there. */
  get list(): LiveList | undefined {
    return this.entry.data;
  }

  /** Why nothing is there; undefined while it comes, or when it is. */
  get failure(): unknown {
    return this.entry.status === "rejected" && !this.list ? this.entry.error : undefined;
  }

  /** Whether asking again may bring it: not what is not there, or not for this person. */
  get mayComeYet(): boolean {
    const { status = 0 } = (this.failure ?? {}) as { status?: number };
    return status === 0 || status === 429 || status >= 500;
  }

  /** An answer is under way. */
  get isPending(): boolean {
    return this.entry.status === "pending";
  }

  /** Resolves when the first answer has come, or failed. */
  async ready(): Promise<void> {
    await this.query.catch(() => undefined);
  }

  /** What a press of "try again" does. */
  async again(): Promise<void> {
    await this.ask(this.look.arg);
  }

  /** Loads the next page, if there is one. */
  async more(): Promise<boolean> {
    const cursor = this.list?.nextCursor;
    if (!cursor || this.isPending) return false;
    await this.ask({ ...this.look.arg, cursor });
    return true;
  }

  /** The screen is left. */
  close(): void {
    this.unsubscribe();
    this.query.unsubscribe();
    this.showAs(undefined);
    this.topic?.leave();
    for (const leave of this.unfollow) leave();
  }

  private get entry() {
    return this.select(this.store.getState());
  }

  private async ask(arg: unknown): Promise<void> {
    const call = this.look.endpoint.initiate(arg, { forceRefetch: true, subscribe: false });
    await (this.store.dispatch(call as never) as unknown as Promise<unknown>);
  }

  /** What useShownList does. */
  private showAs(id: string | undefined): void {
    const before = this.shownAs;
    if (before === id) return;
    this.shownAs = id;
    if (before !== undefined) this.store.dispatch(listHidden(before));
    if (id !== undefined) this.store.dispatch(listShown(id));
  }

  private follow(): void {
    this.showAs(this.list?.id);
    const { topic = null, position = null, startedAt = 0 } = this.list ?? {};
    const named = topic !== null && position !== null ? topic : null;
    if (this.topic && this.topic.name !== named) {
      this.topic.leave();
      this.topic = null;
    }
    if (named !== null && !this.topic) {
      this.topic = { name: named, leave: this.connection.subscribe(named, position ?? "", startedAt) };
    }
    const told = `${named} ${position} ${startedAt}`;
    if (told !== this.told) {
      this.told = told;
      if (named !== null) this.connection.listFetched(named, position ?? "", startedAt);
      for (const other of this.look.topics) this.connection.listFetched(other, "", startedAt);
    }
  }
}
