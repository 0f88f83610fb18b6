import { backoff, RESTART_SPREAD_MS, SLOW_SPREAD_MS, STABLE_MS } from "./backoff";
import { EventBuffer } from "./buffer";
import { type ClientFrame, parseFrame, protocolsFor } from "./protocol";
import { Subscriptions } from "./subscriptions";
import { endsWithin } from "./token";
import type { LiveEvent } from "./types";

/**
 * off: not wanted · connecting: first try · live · returning: sent away by a node that restarts, back in a moment ·
 * away: will come back · stopped: will not.
 */
export type ConnectionStatus = "off" | "connecting" | "live" | "returning" | "away" | "stopped";

/** What the connection needs of the world. */
export interface ConnectionPorts {
  /** Opens a socket with these subprotocols; its life is told by opened, frame and closed. */
  connect(protocols: string[]): void;
  /** Drops the present socket; nothing more is heard of it. */
  disconnect(): void;
  send(text: string): void;
  /** Events to apply, oldest first: gathered over 250 ms, a portion at a time. */
  apply(events: LiveEvent[]): void;
  /** There was a break in these topics (null: in all): what their events taught may be outdated. */
  forget(topics: string[] | null): void;
  /** Fetches the lists of these topics anew; false when one failed. */
  refetch(topics: readonly string[]): Promise<boolean>;
  /** Followed by now: what was fetched without a position before must be fetched again. False when that failed. */
  fresh(topics: readonly string[]): Promise<boolean>;
  denied(topic: string): void;
  /** A new access token, or null when there is none to be had. */
  renew(): Promise<string | null>;
  /** The server has not taken a connection with this token: the session may have ended. */
  refused(): void;
  /** Connected again after a break: what no topic tells of may have changed. */
  back(): void;
  /** The account is gone for good. */
  removed(): void;
  status(status: ConnectionStatus): void;
  /** 0 to 1; Math.random unless told. */
  random?(): number;
}

/** Before the server has told its own heartbeat, seconds. */
const HEARTBEAT_S = 25;
/** Silence of this many heartbeats means the connection is dead. */
const SILENCE = 2.5;
/** A socket that has not said hello by then is given up, milliseconds. */
const HELLO_MS = 10_000;
/** At most ten frames a second of the twenty allowed, milliseconds. */
const SEND_GAP_MS = 100;
/** Breaks in a topic's history that lie closer together than this are a trouble that goes on, milliseconds. */
const RESYNC_MS = 10_000;
/** So many of them are answered at once; from then on the lists are fetched after pauses that grow. */
const RESYNCS_AT_ONCE = 2;
/** A token this near its end is renewed before connecting, milliseconds. */
const TOKEN_MARGIN_MS = 10_000;
/** After this many handshakes refused in a row, the token itself is in doubt. */
const DOUBT_TOKEN_AFTER = 2;

/** A connection that was heard so lately is not doubted, milliseconds. */
const DOUBT_MS = 3_000;
/** After the first doubt the next one counts so much later, milliseconds; after each further one twice as much later. */
const DOUBT_AGAIN_MS = 15_000;
/** The longest of these pauses, milliseconds; after twice as long without a doubt the next one is a first one again. */
const DOUBT_MAX_MS = 300_000;

type Timer = ReturnType<typeof setTimeout>;

/**
 * The client's side of GET /live (contract section 5), without React, browser
 * or socket: it is told what happens and says through its ports what to do.
 * One connection serves the whole app.
 */
export class Connection {
  private readonly topics = new Subscriptions();
  private readonly buffer: EventBuffer;
  private readonly stale = new Set<string>();
  private token: string | null = null;
  private state: ConnectionStatus = "off";
  private socket = false;
  private greeted = false;
  private wasLive = false;
  private attempts = 0;
  private refusals = 0;
  private heartbeatMs = HEARTBEAT_S * 1000;
  private openedAt = 0;
  private heardAt = 0;
  private sentAt = 0;
  private watch: Timer | null = null;
  private retry: Timer | null = null;
  private sending: Timer | null = null;
  private refetching: Timer | null = null;
  private refetchTries = 0;
  private doubts = 0;
  private doubtedAt = 0;
  private readonly resyncs = new Map<string, { count: number; at: number }>();

  constructor(private readonly ports: ConnectionPorts) {
    this.buffer = new EventBuffer((events) => ports.apply(events));
  }

  /** Begins to keep a connection. */
  start(token: string | null): void {
    if (this.state !== "off") return;
    this.token = token;
    this.set("connecting");
    void this.open();
  }

  /** Ends it for good, silently. */
  stop(): void {
    this.set("off");
    this.hangUp();
    if (this.refetching) clearTimeout(this.refetching);
    this.refetching = null;
    this.buffer.flush();
  }

  /** Sign-in and sign-out need a new connection; a renewed token goes down the present one. */
  setToken(token: string | null): void {
    const before = this.token;
    this.token = token;
    if (before === token || this.state === "off") return;
    if (before !== null && token !== null && this.state !== "stopped") {
      if (this.greeted) this.ports.send(JSON.stringify({ token } satisfies ClientFrame));
      return;
    }
    this.comeBack(0);
  }

  /** A screen needs a topic from this position on; the result ends the need. */
  want(topic: string, position: string, startedAt = 0): () => void {
    if (this.topics.want(topic, position, startedAt)) this.sendSoon();
    let held = true;
    return () => {
      if (held && this.topics.release(topic)) this.sendSoon();
      held = false;
    };
  }

  /** A wanted topic's list has been answered again. */
  listed(topic: string, position: string, startedAt: number): void {
    if (this.topics.listed(topic, position, startedAt)) this.sendSoon();
  }

  /** The network is gone: no use in trying until it is back. */
  offline(): void {
    if (this.state === "off" || this.state === "stopped") return;
    this.hangUp();
    this.set("away");
  }

  /** The network is back, or the page has been woken: look at once. */
  wake(): void {
    if (this.state === "off" || this.state === "stopped") return;
    const silent = Date.now() - this.heardAt > this.heartbeatMs * SILENCE;
    if (!this.socket || (this.greeted && silent)) this.comeBack(0);
  }

  /**
   * A call did not get through: unless the server was heard just now, the connection has to prove itself. Once it has,
   * such calls are made again; one that fails all the same must not have it do so over and over.
   */
  doubt(): void {
    const now = Date.now();
    if (this.state !== "live" || now - this.heardAt <= DOUBT_MS) return;
    const since = now - this.doubtedAt;
    if (since > 2 * DOUBT_MAX_MS) this.doubts = 0;
    if (this.doubts > 0 && since < Math.min(DOUBT_MAX_MS, DOUBT_AGAIN_MS * 2 ** (this.doubts - 1))) return;
    this.doubts += 1;
    this.doubtedAt = now;
    this.comeBack(0);
  }

  /** The socket is open. */
  opened(): void {
    this.openedAt = Date.now();
    this.heard(HELLO_MS);
  }

  /** A frame has come. */
  frame(text: string): void {
    const frame = parseFrame(text);
    if (!frame) return;
    this.heard(this.heartbeatMs * SILENCE);
    if (frame.hello) this.hello(frame.hello.heartbeat);
    if (frame.subscribed) this.subscribed(frame.subscribed);
    if (frame.denied) this.denied(frame.denied);
    if (frame.resync) this.resync(frame.resync);
    if (frame.events) this.events(frame.events);
  }

  /** The socket has closed, or never opened (1006). */
  closed(code: number): void {
    if (!this.socket) return;
    const refused = !this.greeted;
    this.hangUp();
    if (this.openedAt > 0 && Date.now() - this.openedAt > STABLE_MS) this.attempts = 0;
    this.openedAt = 0;
    this.refusals = refused ? this.refusals + 1 : 0;
    // The pause before the next try may be long: whoever was signed out meanwhile hears of it now.
    if (this.refusals === 1 && this.token !== null) this.ports.refused();
    switch (code) {
      case 4403:
        this.set("stopped");
        this.ports.removed();
        return;
      case 1008:
      case 1009:
        this.set("stopped");
        return;
      case 4401:
        // With whatever token it comes back.
        this.refusals = DOUBT_TOKEN_AFTER;
        this.comeBack(this.pause(0));
        return;
      case 1012:
        this.comeBack(this.pause(RESTART_SPREAD_MS), "returning");
        return;
      case 4408:
        this.comeBack(this.pause(SLOW_SPREAD_MS));
        return;
      default:
        this.comeBack(backoff(this.attempts++, this.random()));
    }
  }

  /** How long to wait after a connection that the server closed: the first time anything up to `spread` milliseconds. */
  private pause(spread: number): number {
    const attempt = this.attempts++;
    return attempt === 0 ? this.random() * spread : backoff(attempt, this.random());
  }

  private hello(heartbeat: number): void {
    if (heartbeat > 0) this.heartbeatMs = heartbeat * 1000;
    this.heard(this.heartbeatMs * SILENCE);
    this.greeted = true;
    this.refusals = 0;
    this.set("live");
    if (this.wasLive) this.ports.back();
    this.wasLive = true;
    this.sendDue();
    void this.refetch([]);
  }

  private subscribed(positions: Record<string, string>): void {
    if (this.topics.confirmed(positions, Date.now())) this.sendSoon();
  }

  private denied(topics: string[]): void {
    for (const topic of topics) {
      this.topics.refuse(topic);
      this.ports.denied(topic);
    }
    this.forget(topics);
  }

  private resync(topics: string[]): void {
    this.forget(topics);
    this.topics.broken(topics, Date.now());
    const often = Math.max(...topics.map((topic) => this.resyncedSoFar(topic)));
    if (often < RESYNCS_AT_ONCE) return void this.refetch(topics);
    for (const topic of topics) this.stale.add(topic);
    this.refetchLater(often - RESYNCS_AT_ONCE + 1);
  }

  /** How often the topic's history has broken off lately before. */
  private resyncedSoFar(topic: string): number {
    const now = Date.now();
    const { count, at } = this.resyncs.get(topic) ?? { count: 0, at: 0 };
    const before = now - at > RESYNC_MS ? 0 : count;
    this.resyncs.set(topic, { count: before + 1, at: now });
    return before;
  }

  private events(events: LiveEvent[]): void {
    this.buffer.push(events.filter(({ topic, position }) => this.topics.moved(topic, position)));
  }

  /**
   * Fetches the lists of these topics, and of those that still wait, until it has
   * worked: until then they may show what is no longer so. All at once: a list of
   * several topics is fetched once.
   */
  private async refetch(topics: readonly string[], isFresh = false): Promise<void> {
    for (const topic of topics) this.stale.add(topic);
    const asked = [...this.stale];
    if (asked.length === 0) return;
    const fetched = isFresh ? this.ports.fresh(topics) : this.ports.refetch(asked);
    if (await fetched.catch(() => false)) {
      for (const topic of isFresh ? topics : asked) this.stale.delete(topic);
      if (this.stale.size === 0) this.refetchTries = 0;
      return;
    }
    // Another call may have thought them done meanwhile.
    for (const topic of isFresh ? topics : asked) this.stale.add(topic);
    this.refetchLater(++this.refetchTries);
  }

  /** Fetches what waits after a pause that grows with the number of the try. */
  private refetchLater(attempt: number): void {
    this.refetching ??= setTimeout(
      () => {
        this.refetching = null;
        void this.refetch([]);
      },
      backoff(attempt, this.random()),
    );
  }

  private forget(topics: string[] | null): void {
    this.buffer.flush();
    this.ports.forget(topics);
  }

  private sendSoon(): void {
    if (!this.greeted || this.sending !== null) return;
    // Also lets a screen that takes another's place keep its topic.
    const wait = Math.max(0, this.sentAt + SEND_GAP_MS - Date.now());
    this.sending = setTimeout(() => this.sendDue(), wait);
  }

  private sendDue(): void {
    if (this.sending !== null) clearTimeout(this.sending);
    this.sending = null;
    if (!this.greeted) return;
    this.sentAt = Date.now();
    const { frames, dropped, fresh } = this.topics.due();
    for (const frame of frames) this.ports.send(JSON.stringify(frame));
    if (dropped.length > 0) {
      for (const topic of dropped) this.stale.delete(topic);
      this.forget(dropped);
    }
    if (fresh.length > 0) void this.refetch(fresh, true);
  }

  private async open(): Promise<void> {
    const doubtful =
      this.refusals >= DOUBT_TOKEN_AFTER || endsWithin(this.token ?? "", TOKEN_MARGIN_MS, Date.now());
    if (this.token && doubtful) return this.renewAndOpen();
    this.connect();
  }

  private async renewAndOpen(): Promise<void> {
    this.refusals = 0;
    const token = await this.ports.renew().catch(() => null);
    // Meanwhile somebody may have stopped the connection, or signed out and begun a connection without a token.
    if (this.socket || this.retry !== null || this.state === "off" || this.state === "stopped") return;
    if (token === null && this.token !== null) return this.comeBack(backoff(this.attempts++, this.random()));
    if (token !== null) this.token = token;
    this.connect();
  }

  private connect(): void {
    this.socket = true;
    this.heard(HELLO_MS);
    this.ports.connect(protocolsFor(this.token));
  }

  /** Drops the present connection and tries again after this many milliseconds. */
  private comeBack(wait: number, meanwhile: ConnectionStatus = "away"): void {
    this.hangUp();
    this.set(meanwhile);
    this.retry = setTimeout(() => {
      this.retry = null;
      this.set("away");
      void this.open();
    }, wait);
  }

  private hangUp(): void {
    for (const timer of [this.watch, this.retry, this.sending]) if (timer !== null) clearTimeout(timer);
    this.watch = this.retry = this.sending = null;
    if (this.socket) this.ports.disconnect();
    const wasLive = this.greeted;
    this.socket = this.greeted = false;
    this.topics.lost();
    if (wasLive) this.forget(null);
  }

  /** Something was heard: the connection is taken for dead after so much silence. */
  private heard(silence: number): void {
    this.heardAt = Date.now();
    if (this.watch !== null) clearTimeout(this.watch);
    this.watch = setTimeout(() => this.closed(1006), silence);
  }

  private random(): number {
    return this.ports.random?.() ?? Math.random();
  }

  private set(status: ConnectionStatus): void {
    if (this.state === status) return;
    this.state = status;
    this.ports.status(status);
  }
}
