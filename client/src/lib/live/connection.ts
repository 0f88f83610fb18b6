import { expiresWithin } from "@/lib/accessToken";
import { steadyNow } from "@/lib/serverTime";
import { Attempts } from "./attempts";
import { closeRule, DISCONNECT_JITTER_MS } from "./closeCodes";
import { EventBuffer } from "./eventBuffer";
import type { ConnectionPorts, ConnectionStatus } from "./ports";
import { ProbeLimit } from "./probeLimit";
import { type ClientFrame, parseFrame, protocolsFor } from "./protocol";
import { SilenceDetector } from "./silenceDetector";
import { StaleTopics } from "./staleTopics";
import { Subscriptions } from "./subscriptions";
import type { LiveEvent } from "./types";

/** The shortest time between two groups of sent frames, milliseconds; twenty frames a second are allowed. */
const SEND_GAP_MS = 100;
/** A token that expires within this time is renewed before connecting, milliseconds. */
const TOKEN_MARGIN_MS = 10_000;
/** A connection that received a frame within this time works and is not probed, milliseconds. */
const PROBE_AFTER_MS = 3_000;
/** The longest time for the answer to the question whether the server is still there, milliseconds. */
const ANSWER_TIMEOUT_MS = 3_000;

type Timer = ReturnType<typeof setTimeout>;

/**
 * The client's part of the protocol of GET /live (hub/protocol.go). It knows neither React nor the browser nor the
 * socket: these call its methods, and it calls its ports. The whole app uses one connection.
 */
export class Connection {
  private readonly subscriptions = new Subscriptions();
  private readonly buffer: EventBuffer;
  private readonly stale: StaleTopics;
  private readonly probes = new ProbeLimit();
  private readonly attempts = new Attempts();
  private readonly silence = new SilenceDetector(() => this.onClose(1006));
  private token: string | null = null;
  private state: ConnectionStatus = "off";
  private hasSocket = false;
  /** The current socket has received its hello. */
  private isReady = false;
  private lastSentAt = 0;
  private reconnectTimer: Timer | null = null;
  private sendTimer: Timer | null = null;
  /** Set while the server has been asked and has not answered. */
  private answerTimer: Timer | null = null;

  constructor(private readonly ports: ConnectionPorts) {
    this.buffer = new EventBuffer((events) => ports.applyEvents(events));
    this.stale = new StaleTopics({
      refetchLists: (topics) => ports.refetchLists(topics),
      refetchUnpositioned: (topics) => ports.refetchUnpositioned(topics),
      random: () => this.random(),
    });
  }

  /** The topics whose lists may be outdated and are not being refetched yet; for tests. */
  get staleTopics(): string[] {
    return this.stale.all;
  }

  /** Connects; from then on it also reconnects. */
  start(token: string | null): void {
    if (this.state !== "off") return;
    this.token = token;
    this.setStatus("connecting");
    this.openSocket();
  }

  /** Disconnects and does not reconnect. */
  stop(): void {
    this.setStatus("off");
    this.disconnect();
    this.stale.stop();
    this.buffer.flush();
  }

  /** After a sign-in or sign-out it reconnects; a renewed token is sent on the current connection. */
  setToken(token: string | null): void {
    const before = this.token;
    this.token = token;
    if (before === token || this.state === "off") return;
    if (before !== null && token !== null && this.state !== "stopped") {
      if (this.isReady) this.ports.send(JSON.stringify({ token } satisfies ClientFrame));
      return;
    }
    this.reconnect(0);
  }

  /** Subscribes a screen to a topic from this position on; the returned function unsubscribes it. */
  subscribe(topic: string, position: string, startedAt = 0): () => void {
    if (this.subscriptions.add(topic, position, startedAt)) this.sendSoon();
    let isSubscribed = true;
    return () => {
      if (isSubscribed && this.subscriptions.remove(topic)) this.sendSoon();
      isSubscribed = false;
    };
  }

  /** A list of a subscribed topic has been fetched again. */
  listFetched(topic: string, position: string, startedAt: number): void {
    if (this.subscriptions.listFetched(topic, position, startedAt)) this.sendSoon();
  }

  /** The browser is offline: no attempt is made until wake is called. */
  goOffline(): void {
    if (this.state === "off" || this.state === "stopped") return;
    this.disconnect();
    this.setStatus("reconnecting");
  }

  /** The browser is online again, or the page may have slept: the connection may be broken without a sign of it. */
  wake(): void {
    if (this.state === "off" || this.state === "stopped") return;
    if (!this.hasSocket) this.reconnect(0);
    else if (this.isReady) this.ask();
  }

  /**
   * An HTTP request did not reach the server. Unless a frame has just arrived, the server is asked; failed requests are
   * repeated once the connection is live again.
   */
  probe(): void {
    if (this.state !== "live" || this.silence.elapsedMs <= PROBE_AFTER_MS) return;
    if (this.probes.allow(steadyNow())) this.ask();
  }

  /** The socket is open. */
  onOpen(): void {
    this.attempts.opened();
    this.silence.expectHello();
  }

  /** The socket has received a frame. */
  onMessage(text: string): void {
    const frame = parseFrame(text);
    if (!frame) return;
    this.silence.frameReceived();
    if (frame.hello) this.onHello(frame.hello.heartbeat);
    // Other frames may have been sent before the computer slept.
    if (frame.subscribed || frame.denied) this.onAnswer();
    if (frame.subscribed && this.subscriptions.confirm(frame.subscribed, steadyNow())) this.sendSoon();
    if (frame.denied) this.onDenied(frame.denied);
    if (frame.resync) this.onResync(frame.resync);
    if (frame.events) this.onEvents(frame.events);
  }

  /** The socket has closed, or could not be opened (1006). */
  onClose(code: number, reason = ""): void {
    if (!this.hasSocket) return;
    const isRefused = !this.isReady;
    this.disconnect();
    const isFirstRefusal = this.attempts.closed(isRefused);
    // At once, and not after the next delay, which may be long: the session may have ended.
    if (isFirstRefusal && this.token !== null) this.ports.onHandshakeRefused();
    const { jitterMs, status, mustRenewToken, isAccountRemoved } = closeRule(code);
    if (mustRenewToken) this.attempts.requireToken();
    if (jitterMs === null) this.setStatus(status);
    else this.reconnect(this.nextDelay(jitterMs), status);
    if (mustRenewToken) this.ports.onTokenRefused(reason);
    if (isAccountRemoved) this.ports.onAccountRemoved();
  }

  private onHello(heartbeat: number): void {
    this.silence.setHeartbeat(heartbeat);
    this.isReady = true;
    this.attempts.resetRefusals();
    this.setStatus("live");
    this.sendNow();
    void this.stale.refetch();
  }

  private onDenied(topics: string[]): void {
    for (const topic of topics) {
      this.subscriptions.deny(topic);
      this.ports.onDenied(topic);
    }
    this.clearEvents(topics);
  }

  private onResync(topics: string[]): void {
    this.clearEvents(topics);
    this.subscriptions.resync(topics, steadyNow());
    this.stale.resync(topics);
  }

  private onEvents(events: LiveEvent[]): void {
    this.buffer.push(events.filter(({ topic, position }) => this.subscriptions.advance(topic, position)));
  }

  /**
   * Asks the server whether it is still there, by subscribing to a topic again, which it must confirm. Until then the
   * connection is not live. Without an answer, or without a topic, it is replaced at once.
   */
  private ask(): void {
    if (this.answerTimer !== null) return;
    const question = this.subscriptions.repeat();
    if (question === null) {
      this.reconnect(0);
      return;
    }
    this.setStatus("checking");
    this.ports.send(JSON.stringify(question));
    this.answerTimer = setTimeout(() => this.reconnect(0), ANSWER_TIMEOUT_MS);
  }

  private onAnswer(): void {
    if (this.answerTimer === null) return;
    clearTimeout(this.answerTimer);
    this.answerTimer = null;
    this.setStatus("live");
  }

  private clearEvents(topics: string[] | null): void {
    // First, since queued events would otherwise be applied, and logged, after that.
    this.buffer.flush();
    this.ports.clearEvents(topics);
  }

  private sendSoon(): void {
    if (!this.isReady || this.sendTimer !== null) return;
    // The gap also keeps the subscription of a topic that one screen releases and the next one uses.
    const delay = Math.max(0, this.lastSentAt + SEND_GAP_MS - steadyNow());
    this.sendTimer = setTimeout(() => this.sendNow(), delay);
  }

  private sendNow(): void {
    if (this.sendTimer !== null) clearTimeout(this.sendTimer);
    this.sendTimer = null;
    if (!this.isReady) return;
    this.lastSentAt = steadyNow();
    const { frames, unsubscribed, toRefetch } = this.subscriptions.takePending();
    for (const frame of frames) this.ports.send(JSON.stringify(frame));
    if (unsubscribed.length > 0) {
      this.stale.remove(unsubscribed);
      this.clearEvents(unsubscribed);
    }
    if (toRefetch.length > 0) void this.stale.refetchUnpositioned(toRefetch);
  }

  private openSocket(): void {
    const needsToken = this.attempts.mustRenewToken || expiresWithin(this.token ?? "", TOKEN_MARGIN_MS);
    if (this.token && needsToken) void this.renewAndConnect();
    else this.connect();
  }

  private async renewAndConnect(): Promise<void> {
    this.attempts.resetRefusals();
    const token = await this.ports.renewToken().catch(() => null);
    // Meanwhile the connection may have been stopped, or started again without a token after a sign-out.
    if (this.hasSocket || this.reconnectTimer !== null || this.state === "off" || this.state === "stopped")
      return;
    if (token === null && this.token !== null) return this.reconnect(this.nextDelay(DISCONNECT_JITTER_MS));
    if (token !== null) this.token = token;
    this.connect();
  }

  private connect(): void {
    this.hasSocket = true;
    this.silence.expectHello();
    this.ports.openSocket(protocolsFor(this.token));
  }

  /** Closes the current socket and opens another one after this many milliseconds. */
  private reconnect(delay: number, status: ConnectionStatus = "reconnecting"): void {
    this.disconnect();
    this.setStatus(status);
    this.reconnectTimer = setTimeout(() => {
      this.reconnectTimer = null;
      this.setStatus("reconnecting");
      this.openSocket();
    }, delay);
  }

  private disconnect(): void {
    this.silence.stop();
    const timers = [this.reconnectTimer, this.sendTimer, this.answerTimer];
    for (const timer of timers) if (timer !== null) clearTimeout(timer);
    this.reconnectTimer = this.sendTimer = this.answerTimer = null;
    if (this.hasSocket) this.ports.closeSocket();
    const wasReady = this.isReady;
    this.hasSocket = this.isReady = false;
    this.subscriptions.reset();
    if (wasReady) this.clearEvents(null);
  }

  private nextDelay(jitterMs: number): number {
    return this.attempts.nextDelay(this.random(), jitterMs);
  }

  private random(): number {
    return this.ports.random?.() ?? Math.random();
  }

  private setStatus(status: ConnectionStatus): void {
    if (this.state === status) return;
    this.state = status;
    this.ports.onStatus(status);
  }
}
