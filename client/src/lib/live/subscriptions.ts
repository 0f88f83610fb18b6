import type { ClientFrame, ServerFrame } from "./protocol";

/** One topic that some screen needs. */
interface Subscription {
  /** How many need it. */
  users: number;
  /** Through here all is known; "" means from now on. */
  held: string;
  /** Positions of lists asked for before the topic was in force: replay from each once. */
  behind: string[];
  /** The position sent and not yet confirmed; null when none is. */
  asked: string | null;
  /** When the server confirmed it on this connection; null when it has not. */
  since: number | null;
  /** What was asked for after this hears of every change, over breaks too; null until that is so. */
  covered: number | null;
  /** Somebody holds a list without a position that was asked for before that: it must be fetched again. */
  loose: boolean;
  denied: boolean;
}

/** Topics in one frame: keeps it under the 4 KB a client frame may have. */
const TOPICS_PER_FRAME = 16;

/** What is to be done now. */
export interface Due {
  /** To be sent, in this order. */
  frames: ClientFrame[];
  /** The topics that were let go. */
  dropped: string[];
  /** Followed by now: what was fetched without a position before that must be fetched again. */
  fresh: string[];
}

/** Which topics are needed, where each stands, and what to say to the server about it. */
export class Subscriptions {
  private readonly topics = new Map<string, Subscription>();

  /**
   * Somebody needs the topic, from this position on ("" for "from now"); a list
   * gives the time it was asked for, too. Returns true when something is due.
   */
  want(topic: string, position: string, startedAt: number): boolean {
    const known = this.topics.get(topic);
    if (known) known.users++;
    else
      this.topics.set(topic, {
        users: 1,
        held: position,
        behind: [],
        asked: null,
        since: null,
        covered: null,
        loose: position === "",
        denied: false,
      });
    return known ? this.listed(topic, position, startedAt) : true;
  }

  /**
   * A list of the topic has been answered. Followed without a break since before
   * it was asked for, the topic needs nothing; else its position may lie before
   * ours, and we ask for a replay from there. One without a position is fetched
   * again instead; one with neither position nor time needs nothing but to be told.
   * Returns true when something is due.
   */
  listed(topic: string, position: string, startedAt: number): boolean {
    const known = this.topics.get(topic);
    if (known && position === "" && startedAt > 0 && startedAt <= (known.covered ?? Number.POSITIVE_INFINITY))
      known.loose = true;
    if (position === "") return known?.loose ?? false;
    if (!known || position === known.held || known.behind.includes(position)) return false;
    if (known.asked === null && known.since === null && known.held === "") known.held = position;
    else if (known.since === null || startedAt <= known.since) known.behind.push(position);
    return true;
  }

  /** One fewer needs it. Returns true when nobody does. */
  release(topic: string): boolean {
    const known = this.topics.get(topic);
    if (known) known.users = Math.max(0, known.users - 1);
    return known?.users === 0;
  }

  /** The connection is gone: all must be asked for again, from where we stand. */
  lost(): void {
    for (const [topic, known] of this.topics) {
      if (known.users === 0) this.topics.delete(topic);
      else if (known.asked !== null && known.since !== null) known.behind.unshift(known.asked);
      known.asked = null;
      known.since = null;
      known.denied = false;
    }
  }

  /** What there is to do now, each thing said once. */
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
      if (known.loose && known.since !== null) {
        known.loose = false;
        fresh.push(topic);
      }
      if (known.asked === null && !known.denied) {
        const position = known.since === null ? known.held : known.behind.shift();
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
      // Not asked yet: the answer to a subscription that was left meanwhile.
      if (!known || (known.asked === null && known.since === null)) continue;
      if (known.asked === "") known.held = position;
      known.asked = null;
      known.since ??= now;
      known.covered ??= now;
      known.denied = false;
      isDue ||= known.loose || known.behind.length > 0;
    }
    return isDue;
  }

  /** There was a hole in these topics, before this time: whatever was asked for earlier may be outdated. */
  broken(topics: readonly string[], now: number): void {
    for (const topic of topics) {
      const known = this.topics.get(topic);
      if (known?.covered != null) known.covered = now;
    }
  }

  /** The server does not let us have the topic. */
  refuse(topic: string): void {
    const known = this.topics.get(topic);
    if (known) Object.assign(known, { denied: true, asked: null, since: null, covered: null });
  }

  /**
   * An event of the topic has come: everything before it has, too. False for a
   * topic that is not followed: such an event was still on its way when the topic
   * was left, and what it says may be outdated before the topic is followed again.
   */
  moved(topic: string, position: string): boolean {
    const known = this.topics.get(topic);
    if (!known || known.since === null) return false;
    known.held = position;
    return true;
  }
}
