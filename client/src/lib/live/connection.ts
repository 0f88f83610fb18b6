import { BREAK_SPREAD_MS, backoff, STABLE_MS } from "./backoff";
import { EventBuffer } from "./buffer";
import { closeRule } from "./closeCodes";
import type { ConnectionPorts, ConnectionStatus } from "./ports";
import { ProbeLimit } from "./probeLimit";
import { type ClientFrame, parseFrame, protocolsFor } from "./protocol";
import { StaleTopics } from "./staleTopics";
import { Subscriptions } from "./subscriptions";
import { endsWithin } from "./token";
import type { LiveEvent } from "./types";

/** The server's heartbeat until its hello names one, seconds. */
const HEARTBEAT_S = 25;
/** After this many heartbeats without a frame the connection counts as broken. */
const SILENCE = 2.5;
/** The longest time from connecting to the hello, milliseconds. */
const HELLO_MS = 10_000;
/** The shortest time between two rounds of frames, milliseconds: half of the twenty frames a second that are allowed. */
const SEND_GAP_MS = 100;
/** A token that ends within this time is renewed before connecting, milliseconds. */
const TOKEN_MARGIN_MS = 10_000;
/** After this many refused handshakes in a row the token is renewed. */
const REFUSALS_BEFORE_RENEWAL = 2;
/** A connection with a frame within this time needs no probe, milliseconds. */
const PROBE_SILENCE_MS = 3_000;

type Timer = ReturnType<typeof setTimeout>;

/**
 * The client's side of GET /live (contract section 5), without React, browser or socket: its methods are called when
 * something happens, and it calls its ports. One connection serves the whole app.
 */
export class Connection {
  private readonly topics = new Subscriptions();
  private readonly buffer: EventBuffer;
  private readonly stale: StaleTopics;
  private readonly probes = new ProbeLimit();
  private token: string | null = null;
  private state: ConnectionStatus = "off";
  private hasSocket = false;
  /** The present socket has received its hello. */
  private isGreeted = false;
  private attempts = 0;
  private refusals = 0;
  private heartbeatMs = HEARTBEAT_S * 1000;
  private openedAt = 0;
  private heardAt = 0;
  private sentAt = 0;
  private silenceTimer: Timer | null = null;
  private reconnectTimer: Timer | null = null;
  private sendTimer: Timer | null = null;

  constructor(private readonly ports: ConnectionPorts) {
    this.buffer = new EventBuffer((events) => ports.apply(events));
    this.stale = new StaleTopics({
      refetch: (topics) => ports.refetch(topics),
      subscribed: (topics) => ports.subscribed(topics),
      random: () => this.random(),
    });
  }

  /** The topics whose lists may be outdated and are refetched; for tests. */
  get staleTopics(): string[] {
    return this.stale.all;
  }

  /** Connects, and reconnects from then on. */
  start(token: string | null): void {
    if (this.state !== "off") return;
    this.token = token;
    this.setStatus("connecting");
    this.open();
  }

  /** Disconnects for good. */
  stop(): void {
    this.setStatus("off");
    this.disconnect();
    this.stale.stop();
    this.buffer.flush();
  }

  /** Sign-in and sign-out need a new connection; a renewed token is sent on the present one. */
  setToken(token: string | null): void {
    const before = this.token;
    this.token = token;
    if (before === token || this.state === "off") return;
    if (before !== null && token !== null && this.state !== "stopped") {
      if (this.isGreeted) this.ports.send(JSON.stringify({ token } satisfies ClientFrame));
      return;
    }
    this.reconnect(0);
  }

  /** A screen needs a topic from this position on; the returned function ends that. */
  want(topic: string, position: string, startedAt = 0): () => void {
    if (this.topics.want(topic, position, startedAt)) this.sendSoon();
    let isWanted = true;
    return () => {
      if (isWanted && this.topics.release(topic)) this.sendSoon();
      isWanted = false;
    };
  }

  /** A list of a wanted topic has been fetched again. */
  listed(topic: string, position: string, startedAt: number): void {
    if (this.topics.listed(topic, position, startedAt)) this.sendSoon();
  }

  /** The browser is offline: no attempt is made until wake is called. */
  offline(): void {
    if (this.state === "off" || this.state === "stopped") return;
    this.disconnect();
    this.setStatus("reconnecting");
  }

  /** The browser is online again, or the page is visible again: reconnects at once where needed. */
  wake(): void {
    if (this.state === "off" || this.state === "stopped") return;
    const isSilent = Date.now() - this.heardAt > this.heartbeatMs * SILENCE;
    if (!this.hasSocket || (this.isGreeted && isSilent)) this.reconnect(0);
  }

  /**
   * A call did not reach the server. Unless a frame came just now, a new connection shows whether the server can be
   * reached; failed calls are made again once it is live.
   */
  probe(): void {
    const now = Date.now();
    if (this.state !== "live" || now - this.heardAt <= PROBE_SILENCE_MS) return;
    if (this.probes.take(now)) this.reconnect(0);
  }

  /** The socket is open. */
  opened(): void {
    this.openedAt = Date.now();
    this.limitSilence(HELLO_MS);
  }

  /** The socket has received a frame. */
  frame(text: string): void {
    const frame = parseFrame(text);
    if (!frame) return;
    this.limitSilence(this.heartbeatMs * SILENCE);
    if (frame.hello) this.hello(frame.hello.heartbeat);
    if (frame.subscribed && this.topics.confirmed(frame.subscribed, Date.now())) this.sendSoon();
    if (frame.denied) this.denied(frame.denied);
    if (frame.resync) this.resync(frame.resync);
    if (frame.events) this.events(frame.events);
  }

  /** The socket has closed, or could not be opened (1006). */
  closed(code: number): void {
    if (!this.hasSocket) return;
    const isRefused = !this.isGreeted;
    this.disconnect();
    if (this.openedAt > 0 && Date.now() - this.openedAt > STABLE_MS) this.attempts = 0;
    this.openedAt = 0;
    this.refusals = isRefused ? this.refusals + 1 : 0;
    // Not only after the next pause, which may be long: the session may have ended.
    if (this.refusals === 1 && this.token !== null) this.ports.handshakeRefused();
    const { spread, status, renewsToken, isAccountRemoved } = closeRule(code);
    if (renewsToken) this.refusals = REFUSALS_BEFORE_RENEWAL;
    if (spread === null) this.setStatus(status);
    else this.reconnect(this.pause(spread), status);
    if (isAccountRemoved) this.ports.accountRemoved();
  }

  private hello(heartbeat: number): void {
    if (heartbeat > 0) this.heartbeatMs = heartbeat * 1000;
    this.limitSilence(this.heartbeatMs * SILENCE);
    this.isGreeted = true;
    this.refusals = 0;
    this.setStatus("live");
    this.sendNow();
    void this.stale.refetch();
  }

  private denied(topics: string[]): void {
    for (const topic of topics) {
      this.topics.deny(topic);
      this.ports.denied(topic);
    }
    this.forget(topics);
  }

  private resync(topics: string[]): void {
    this.forget(topics);
    this.topics.missed(topics, Date.now());
    this.stale.resync(topics);
  }

  private events(events: LiveEvent[]): void {
    this.buffer.push(events.filter(({ topic, position }) => this.topics.moved(topic, position)));
  }

  private forget(topics: string[] | null): void {
    // First, since events that wait would otherwise be applied after that.
    this.buffer.flush();
    this.ports.forget(topics);
  }

  private sendSoon(): void {
    if (!this.isGreeted || this.sendTimer !== null) return;
    // The gap also keeps a topic that one screen leaves and the next one needs.
    const wait = Math.max(0, this.sentAt + SEND_GAP_MS - Date.now());
    this.sendTimer = setTimeout(() => this.sendNow(), wait);
  }

  private sendNow(): void {
    if (this.sendTimer !== null) clearTimeout(this.sendTimer);
    this.sendTimer = null;
    if (!this.isGreeted) return;
    this.sentAt = Date.now();
    const { frames, dropped, fresh } = this.topics.due();
    for (const frame of frames) this.ports.send(JSON.stringify(frame));
    if (dropped.length > 0) {
      this.stale.drop(dropped);
      this.forget(dropped);
    }
    if (fresh.length > 0) void this.stale.subscribed(fresh);
  }

  private open(): void {
    const mayHaveEnded =
      this.refusals >= REFUSALS_BEFORE_RENEWAL || endsWithin(this.token ?? "", TOKEN_MARGIN_MS, Date.now());
    if (this.token && mayHaveEnded) void this.renewAndConnect();
    else this.connect();
  }

  private async renewAndConnect(): Promise<void> {
    this.refusals = 0;
    const token = await this.ports.renewToken().catch(() => null);
    // Meanwhile the connection may have been stopped, or begun again without a token after a sign-out.
    if (this.hasSocket || this.reconnectTimer !== null || this.state === "off" || this.state === "stopped")
      return;
    if (token === null && this.token !== null) return this.reconnect(this.pause(BREAK_SPREAD_MS));
    if (token !== null) this.token = token;
    this.connect();
  }

  private connect(): void {
    this.hasSocket = true;
    this.limitSilence(HELLO_MS);
    this.ports.connect(protocolsFor(this.token));
  }

  /** Closes the present socket and opens another one after this many milliseconds. */
  private reconnect(wait: number, meanwhile: ConnectionStatus = "reconnecting"): void {
    this.disconnect();
    this.setStatus(meanwhile);
    this.reconnectTimer = setTimeout(() => {
      this.reconnectTimer = null;
      this.setStatus("reconnecting");
      this.open();
    }, wait);
  }

  private disconnect(): void {
    for (const timer of [this.silenceTimer, this.reconnectTimer, this.sendTimer]) {
      if (timer !== null) clearTimeout(timer);
    }
    this.silenceTimer = this.reconnectTimer = this.sendTimer = null;
    if (this.hasSocket) this.ports.disconnect();
    const wasGreeted = this.isGreeted;
    this.hasSocket = this.isGreeted = false;
    this.topics.lost();
    if (wasGreeted) this.forget(null);
  }

  /** The connection counts as broken when no frame comes within this many milliseconds from now. */
  private limitSilence(ms: number): void {
    this.heardAt = Date.now();
    if (this.silenceTimer !== null) clearTimeout(this.silenceTimer);
    this.silenceTimer = setTimeout(() => this.closed(1006), ms);
  }

  /** The pause before the next attempt, milliseconds; the first one is anything up to `spread`. */
  private pause(spread: number): number {
    return backoff(this.attempts++, this.random(), spread);
  }

  private random(): number {
    return this.ports.random?.() ?? Math.random();
  }

  private setStatus(status: ConnectionStatus): void {
    if (this.state === status) return;
    this.state = status;
    this.ports.status(status);
  }
}
