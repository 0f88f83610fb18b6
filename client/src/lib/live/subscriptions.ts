import type { ClientFrame, ServerFrame } from "./protocol";

/** One topic that at least one screen needs. */
interface Subscription {
  /** The number of screens that need it. */
  users: number;
  /** All events up to here have arrived; "" means from now on. */
  position: string;
  /** Positions of lists that were requested before the topic was in force: each is replayed from once. */
  behind: string[];
  /** The position that was sent and not yet confirmed; null for none. */
  asked: string | null;
  /** When the server confirmed it on this connection; null when it has not. */
  since: number | null;
  /** A list requested after this time gets every change, across reconnections too; null before the topic is in force. */
  covered: number | null;
  /** A screen shows a list without a position that was requested before `covered`: it must be refetched. */
  isLoose: boolean;
  denied: boolean;
}

/** Topics in one frame, which keeps it under the 4 KB that are allowed. */
const TOPICS_PER_FRAME = 16;

/** What has to be done now. */
export interface Due {
  /** The frames to send, in this order. */
  frames: ClientFrame[];
  /** The topics that no screen needs any more. */
  dropped: string[];
  /** Topics in force whose lists without a position must be refetched. */
  fresh: string[];
}

/** The topics that screens need, the position of each, and the frames that the server must get. */
export class Subscriptions {
  private readonly topics = new Map<string, Subscription>();

  /**
   * One more screen needs the topic, from this position on ("" for "from now"); for a list, `startedAt` is when it was
   * requested. Returns true when something is due.
   */
  want(topic: string, position: string, startedAt: number): boolean {
    const known = this.topics.get(topic);
    if (known) known.users++;
    else
      this.topics.set(topic, {
        users: 1,
        position,
        behind: [],
        asked: null,
        since: null,
        covered: null,
        isLoose: position === "",
        denied: false,
      });
    return known ? this.listed(topic, position, startedAt) : true;
  }

  /**
   * A list of the topic has been fetched. If the topic was in force before the request, nothing is due. Otherwise the
   * list's position may be before ours, and events are replayed from there; a list without a position is refetched
   * instead. With neither a position nor a time there is no list yet. Returns true when something is due.
   */
  listed(topic: string, position: string, startedAt: number): boolean {
    const known = this.topics.get(topic);
    if (known && position === "" && startedAt > 0 && startedAt <= (known.covered ?? Number.POSITIVE_INFINITY))
      known.isLoose = true;
    if (position === "") return known?.isLoose ?? false;
    if (!known || position === known.position || known.behind.includes(position)) return false;
    if (known.asked === null && known.since === null && known.position === "") known.position = position;
    else if (known.since === null || startedAt <= known.since) known.behind.push(position);
    return true;
  }

  /** One screen fewer needs it. Returns true when no screen does. */
  release(topic: string): boolean {
    const known = this.topics.get(topic);
    if (known) known.users = Math.max(0, known.users - 1);
    return known?.users === 0;
  }

  /** The connection was lost: all topics must be subscribed again, from their positions. */
  lost(): void {
    for (const [topic, known] of this.topics) {
      if (known.users === 0) this.topics.delete(topic);
      else if (known.asked !== null && known.since !== null) known.behind.unshift(known.asked);
      known.asked = null;
      known.since = null;
      known.denied = false;
    }
  }

  /** What has to be done now; each thing is returned once. */
  due(): Due {
    const asks: [string, string][] = [];
    const dropped: string[] = [];
    const fresh: string[] = [];
    for (const [topic, known] of this.topics) {
      if (known.users === 0) {
        this.topics.delete(topic);
        dropped.push(topic);
        continue;
      }
      if (known.isLoose && known.since !== null) {
        known.isLoose = false;
        fresh.push(topic);
      }
      if (known.asked === null && !known.denied) {
        const position = known.since === null ? known.position : known.behind.shift();
        if (position === undefined) continue;
        known.asked = position;
        asks.push([topic, position]);
      }
    }
    const frames: ClientFrame[] = dropped.length > 0 ? [{ unsubscribe: dropped }] : [];
    for (let i = 0; i < asks.length; i += TOPICS_PER_FRAME) {
      frames.push({ subscribe: Object.fromEntries(asks.slice(i, i + TOPICS_PER_FRAME)) });
    }
    return { frames, dropped, fresh };
  }

  /** Takes the server's confirmation at this time. Returns true when something is due. */
  confirmed(positions: NonNullable<ServerFrame["subscribed"]>, now: number): boolean {
    let isDue = false;
    for (const [topic, position] of Object.entries(positions)) {
      const known = this.topics.get(topic);
      // Not subscribed again yet: this confirms a subscription that has ended since.
      if (!known || (known.asked === null && known.since === null)) continue;
      if (known.asked === "") known.position = position;
      known.asked = null;
      known.since ??= now;
      known.covered ??= now;
      known.denied = false;
      isDue ||= known.isLoose || known.behind.length > 0;
    }
    return isDue;
  }

  /** Events of these topics were missed before this time: lists that were requested earlier may be outdated. */
  missed(topics: readonly string[], now: number): void {
    for (const topic of topics) {
      const known = this.topics.get(topic);
      if (known?.covered != null) known.covered = now;
    }
  }

  /** The server denies the topic. */
  deny(topic: string): void {
    const known = this.topics.get(topic);
    if (known) Object.assign(known, { denied: true, asked: null, since: null, covered: null });
  }

  /**
   * An event of the topic has arrived, and so have all before it. False for a topic that is not in force: the event
   * was sent before the subscription ended, and may be outdated before the next one begins.
   */
  moved(topic: string, position: string): boolean {
    const known = this.topics.get(topic);
    if (!known || known.since === null) return false;
    known.position = position;
    return true;
  }
}
