import type { ClientFrame, ServerFrame } from "./protocol";

/** One topic that at least one screen uses. */
interface Subscription {
  /** The number of screens that use it. */
  subscribers: number;
  /** All events up to this position have arrived; "" means from now on. */
  position: string;
  /** Positions of lists that were requested before the topic was subscribed: events are replayed from each once. */
  replayFrom: string[];
  /** The position that was sent and is not confirmed yet; null for none. */
  requested: string | null;
  /** The position of the server's last confirmation; a resync moves `position` there. Null before the first. */
  confirmedPosition: string | null;
  /**
   * When the server confirmed the topic on this connection, or sent its last resync; null while it has not. Events are
   * replayed for a list that was requested before that.
   */
  confirmedAt: number | null;
  /** A list requested after this time gets every change, across reconnections too; null before the first confirmation. */
  completeSince: number | null;
  /** A screen shows a list without a position that was requested before `completeSince`. */
  needsRefetch: boolean;
  isDenied: boolean;
}

/** Topics in one frame; more would exceed the 4 KB that are allowed. */
const TOPICS_PER_FRAME = 16;

/** What the connection has to do now. */
interface PendingWork {
  /** The frames to send, in this order. */
  frames: ClientFrame[];
  /** The topics that no screen uses any more. */
  unsubscribed: string[];
  /** Confirmed topics whose lists without a position must be refetched. */
  toRefetch: string[];
}

/** The topics that screens use, the position of each, and the frames that subscribe to them. */
export class Subscriptions {
  private readonly topics = new Map<string, Subscription>();

  /**
   * One more screen uses the topic, from this position on ("" for "from now"); for a list, `startedAt` is when it was
   * requested. Returns true when there is work.
   */
  add(topic: string, position: string, startedAt: number): boolean {
    const known = this.topics.get(topic);
    if (known) known.subscribers++;
    else
      this.topics.set(topic, {
        subscribers: 1,
        position,
        replayFrom: [],
        requested: null,
        confirmedPosition: null,
        confirmedAt: null,
        completeSince: null,
        needsRefetch: position === "",
        isDenied: false,
      });
    return known ? this.listFetched(topic, position, startedAt) : true;
  }

  /**
   * A list of the topic was fetched. If the request began after the confirmation and the last resync, there is nothing to
   * do. Otherwise the list's position may be before ours, and events are replayed from there; a list without a position is refetched
   * instead. With neither a position nor a time there is no list yet. Returns true when there is work.
   */
  listFetched(topic: string, position: string, startedAt: number): boolean {
    const known = this.topics.get(topic);
    if (!known) return false;
    if (position === "") {
      const completeSince = known.completeSince ?? Number.POSITIVE_INFINITY;
      if (startedAt > 0 && startedAt <= completeSince) known.needsRefetch = true;
      return known.needsRefetch;
    }
    if (position === known.position || known.replayFrom.includes(position)) return false;
    const isNew = known.requested === null && known.confirmedAt === null;
    if (isNew && known.position === "") known.position = position;
    else if (known.confirmedAt === null || startedAt <= known.confirmedAt) known.replayFrom.push(position);
    return true;
  }

  /** One screen fewer uses it. Returns true when no screen does. */
  remove(topic: string): boolean {
    const known = this.topics.get(topic);
    if (known) known.subscribers = Math.max(0, known.subscribers - 1);
    return known?.subscribers === 0;
  }

  /** The connection was lost: all topics must be subscribed again, from their positions. */
  reset(): void {
    for (const [topic, known] of this.topics) {
      if (known.subscribers === 0) this.topics.delete(topic);
      else if (known.requested !== null && known.confirmedAt !== null)
        known.replayFrom.unshift(known.requested);
      known.requested = null;
      known.confirmedAt = null;
      known.isDenied = false;
    }
  }

  /** Returns the work and marks it as done. */
  takePending(): PendingWork {
    const positions: [string, string][] = [];
    const unsubscribed: string[] = [];
    const toRefetch: string[] = [];
    for (const [topic, known] of this.topics) {
      if (known.subscribers === 0) {
        this.topics.delete(topic);
        unsubscribed.push(topic);
        continue;
      }
      if (known.needsRefetch && known.confirmedAt !== null) {
        known.needsRefetch = false;
        toRefetch.push(topic);
      }
      if (known.requested === null && !known.isDenied) {
        const position = known.confirmedAt === null ? known.position : known.replayFrom.shift();
        if (position === undefined) continue;
        known.requested = position;
        positions.push([topic, position]);
      }
    }
    const frames: ClientFrame[] = unsubscribed.length > 0 ? [{ unsubscribe: unsubscribed }] : [];
    for (let i = 0; i < positions.length; i += TOPICS_PER_FRAME) {
      frames.push({ subscribe: Object.fromEntries(positions.slice(i, i + TOPICS_PER_FRAME)) });
    }
    return { frames, unsubscribed, toRefetch };
  }

  /** The frame that subscribes to one topic again, from where it is; null without a topic. */
  repeat(): ClientFrame | null {
    for (const [topic, { subscribers, isDenied, requested, position }] of this.topics) {
      if (subscribers > 0 && !isDenied) return { subscribe: { [topic]: requested ?? position } };
    }
    return null;
  }

  /** The server confirmed these positions at this time. Returns true when there is work. */
  confirm(positions: NonNullable<ServerFrame["subscribed"]>, now: number): boolean {
    let hasWork = false;
    for (const [topic, position] of Object.entries(positions)) {
      const known = this.topics.get(topic);
      // A subscription that has ended since is confirmed; the next one has not been sent yet.
      if (!known || (known.requested === null && known.confirmedAt === null)) continue;
      // The server continues from the requested position. If it cannot, it confirms another one and sends a resync. Until
      // that has arrived, the connection may break, and the same position must be requested again.
      if (known.requested !== null) known.position = known.requested || position;
      known.confirmedPosition = position;
      known.requested = null;
      known.confirmedAt ??= now;
      known.completeSince ??= now;
      known.isDenied = false;
      hasWork ||= known.needsRefetch || known.replayFrom.length > 0;
    }
    return hasWork;
  }

  /**
   * A resync: the events up to the confirmed position were missed, and later ones follow. Lists that were requested before
   * this time may be outdated.
   */
  resync(topics: readonly string[], now: number): void {
    for (const topic of topics) {
      const known = this.topics.get(topic);
      if (!known || known.confirmedAt === null) continue;
      known.position = known.confirmedPosition ?? known.position;
      known.completeSince = now;
      // A request of the same millisecond may be the refetch after this resync, which needs no replay.
      known.confirmedAt = now - 1;
    }
  }

  /** The server denied the topic. */
  deny(topic: string): void {
    const known = this.topics.get(topic);
    if (!known) return;
    known.isDenied = true;
    known.requested = null;
    known.confirmedAt = null;
    known.completeSince = null;
  }

  /**
   * An event of the topic has arrived, and so have all before it. False for a topic that is not confirmed: the event
   * was sent before the subscription ended, and may be outdated before the next one begins.
   */
  advance(topic: string, position: string): boolean {
    const known = this.topics.get(topic);
    if (!known || known.confirmedAt === null) return false;
    known.position = position;
    return true;
  }
}
