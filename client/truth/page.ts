import { NETWORK_ERROR_EVENT } from "@/api/baseQuery";
import { connectionChanged } from "@/api/connection";
import { selectMe } from "@/api/me";
import { retryFailedQueries } from "@/api/retryFailedQueries";
import { selectAccessToken, selectEndReason } from "@/api/session";
import { storePorts } from "@/app/live/storePorts";
import { makeStore } from "@/app/store";
import { Connection, type ConnectionPorts, type ConnectionStatus } from "@/lib/live";
import type { ClientFrame, ServerFrame } from "@/lib/live/protocol";
import type { Environment, Socket } from "./environment";
import { Screen } from "./screen";
import { home, type View } from "./views";

/** So much of what was heard is kept, to be told with a difference. */
const MAX_LOG = 400;

/** One window of one person: the real store, cache and connection, and what stands in for its screens (LiveProvider). */
export class Page {
  readonly store = makeStore();
  /**
   * lists: asked for, whyever · again: of these while the connection had something fetched again, for a history that did
   * not reach back (topics so lost: lost), or for want of a position.
   */
  readonly requests = { lists: 0, again: 0, lost: 0 };
  /** The topics that are followed on the present connection. */
  readonly followed = new Set<string>();
  /** What was heard last, the newest at the end. */
  readonly log: string[] = [];
  screens: Screen[] = [];
  private readonly connection: Connection;
  private status: ConnectionStatus = "off";
  private wire: Socket | null = null;
  private token: string | null = null;
  private leaveMe: (() => void) | null = null;
  /** Topics that were subscribed to and have not been answered. */
  private readonly unanswered = new Set<string>();
  private refetching = 0;

  constructor(readonly world: Environment) {
    this.connection = new Connection(this.ports());
    globalThis.addEventListener(NETWORK_ERROR_EVENT, () => this.connection.probe());
    this.store.subscribe(() => this.follow());
    this.connection.start(null);
    this.go(home());
  }

  /** Whose window it is; null for a visitor's. */
  get me() {
    return selectMe(this.store.getState());
  }

  /** Leaves the present screens for these. */
  go(...looks: View[]): void {
    const before = this.screens;
    // The next screen is there before the last one goes: a topic of both is kept.
    this.screens = looks.map((look) => new Screen(this.store, this.connection, look));
    for (const screen of before) screen.close();
  }

  /** The computer wakes. */
  wake(): void {
    this.connection.reconnectIfNeeded();
  }

  /** A list is asked for over the network. */
  countRequest(): void {
    this.requests.lists += 1;
    if (this.refetching > 0) this.requests.again += 1;
  }

  /** What keeps the window from being as it will be; null when nothing does. */
  unsettled(): string | null {
    if (this.status !== "live") return `its connection is ${this.status}`;
    if (this.unanswered.size > 0) return `${[...this.unanswered]} unanswered`;
    const stale = this.connection.staleTopics;
    if (this.refetching > 0 || stale.length > 0) return `it refetches ${stale}`;
    for (const screen of this.screens) {
      if (screen.isPending) return `${screen.look.name} is under way`;
      if (screen.failure !== undefined && screen.mayComeYet) {
        void screen.again();
        return `${screen.look.name} has failed`;
      }
    }
    return null;
  }

  private follow(): void {
    const token = selectAccessToken(this.store.getState());
    if (token === this.token) return;
    const signedIn = token !== null;
    const wasSignedIn = this.token !== null;
    this.token = token;
    this.connection.setToken(token);
    if (signedIn === wasSignedIn) return;
    this.leaveMe?.();
    this.leaveMe = signedIn ? this.connection.subscribe("me", "") : null;
    if (signedIn) return;
    this.go(home());
    const farewell = selectEndReason(this.store.getState());
    if (farewell !== null) this.world.left(farewell);
  }

  private ports(): ConnectionPorts {
    const ports = storePorts(this.store, () => undefined);
    const during = async (work: Promise<boolean>) => {
      this.refetching += 1;
      return work.finally(() => {
        this.refetching -= 1;
      });
    };
    return {
      ...ports,
      refetchLists: (topics) => during(ports.refetchLists(topics)),
      refetchUnpositioned: (topics) => during(ports.refetchUnpositioned(topics)),
      openSocket: (protocols) => this.connect(protocols),
      closeSocket: () => {
        this.wire?.drop();
        this.wire = null;
      },
      send: (text) => {
        const { subscribe = {}, unsubscribe = [] } = JSON.parse(text) as ClientFrame;
        for (const topic of Object.keys(subscribe)) this.unanswered.add(topic);
        for (const topic of unsubscribe) this.followed.delete(topic);
        this.note("sent", text.slice(0, 200));
        this.wire?.send(text);
      },
      onStatus: (status) => {
        this.status = status;
        this.store.dispatch(connectionChanged(status === "live"));
        if (status === "live") this.store.dispatch(retryFailedQueries());
      },
      random: () => this.world.random(),
    };
  }

  private connect(protocols: string[]): void {
    this.unanswered.clear();
    this.followed.clear();
    this.wire = this.world.connect(protocols, {
      opened: () => this.connection.onOpen(),
      frame: (text) => {
        this.logFrame(JSON.parse(text) as ServerFrame);
        this.connection.onMessage(text);
      },
      closed: (code) => {
        this.note("closed", code);
        this.connection.onClose(code);
      },
    });
  }

  private logFrame({ subscribed = {}, denied = [], resync = [], events = [] }: ServerFrame): void {
    for (const topic of Object.keys(subscribed)) this.followed.add(topic);
    for (const topic of [...Object.keys(subscribed), ...denied]) this.unanswered.delete(topic);
    if (Object.keys(subscribed).length > 0) this.note("subscribed", subscribed);
    if (denied.length > 0) this.note("denied", denied);
    if (resync.length > 0) this.note("resync", resync);
    this.requests.lost += resync.length;
    for (const { topic, type, position, data } of events) {
      this.note("event", `${topic} ${position} ${type} ${data._id} v${data.version}`);
    }
  }

  private note(kind: string, what: unknown): void {
    const at = new Date().toISOString().slice(14, 23);
    this.log.push(`${at} ${kind} ${typeof what === "string" ? what : JSON.stringify(what)}`);
    if (this.log.length > MAX_LOG) this.log.splice(0, MAX_LOG / 2);
  }
}
