import type { ClientFrame, ServerFrame } from "./frames";

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
  denied: boolean;
}

/** Topics in one frame: keeps it under the 4 KB a client frame may have. */
const TOPICS_PER_FRAME = 16;

/** What the server's word on subscriptions asks us to do. */
export interface Confirmed {
  /** Followed from now on: what was fetched without a position must be fetched again. */
  fresh: string[];
  /** There is more to ask for. */
  more: boolean;
}

/** Which topics are needed, where each stands, and what to say to the server about it. */
export class Subscriptions {
  private readonly topics = new Map<string, Subscription>();

  /**
   * Somebody needs the topic, from this position on ("" for "from now"); a list
   * gives the time it was asked for, too. Returns true when the server must be told.
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
        denied: false,
      });
    return known ? this.listed(topic, position, startedAt) : true;
  }

  /**
   * A list of the topic has been answered. Followed without a break since before
   * it was asked for, the topic needs nothing; else its position may lie before
   * ours, and we ask for a replay from there. Returns true when the server must be told.
   */
  listed(topic: string, position: string, startedAt: number): boolean {
    const known = this.topics.get(topic);
    if (!known || position === "" || position === known.held || known.behind.includes(position)) return false;
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

  /** The frames to send now, and the topics that were let go. */
  due(): { frames: ClientFrame[]; dropped: string[] } {
    const asks: [string, string][] = [];
    const dropped: string[] = [];
    for (const [topic, known] of this.topics) {
      if (known.users === 0) {
        this.topics.delete(topic);
        dropped.push(topic);
      } else if (known.asked === null && !known.denied) {
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
    return { frames, dropped };
  }

  /** Takes the server's confirmation at this time. */
  confirmed(positions: NonNullable<ServerFrame["subscribed"]>, now: number): Confirmed {
    const answer: Confirmed = { fresh: [], more: false };
    for (const [topic, position] of Object.entries(positions)) {
      const known = this.topics.get(topic);
      // Not asked yet: the answer to a subscription that was left meanwhile.
      if (!known || (known.asked === null && known.since === null)) continue;
      if (known.asked === "") {
        known.held = position;
        answer.fresh.push(topic);
      }
      known.asked = null;
      known.since ??= now;
      known.denied = false;
      answer.more ||= known.behind.length > 0;
    }
    return answer;
  }

  /** The server does not let us have the topic. */
  refuse(topic: string): void {
    const known = this.topics.get(topic);
    if (known) Object.assign(known, { denied: true, asked: null, since: null });
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
