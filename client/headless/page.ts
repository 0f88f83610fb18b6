import { NETWORK_ERROR_EVENT } from "@/api/baseQuery";
import { connectionChanged } from "@/api/connectionSlice";
import { retryFailedQueries } from "@/api/retryFailedQueries";
import { selectAccessToken, selectEndReason, selectMe } from "@/api/sessionSlice";
import { storePorts } from "@/app/live/storePorts";
import { makeStore } from "@/app/store";
import { Connection, type ConnectionPorts, type ConnectionStatus } from "@/lib/live";
import type { ClientFrame, ServerFrame } from "@/lib/live/protocol";
import type { Environment, Socket } from "./environment";
import { Screen } from "./screen";
import { home, type View } from "./views";

/** The number of log lines that are kept. */
const MAX_LOG = 400;

/** One page of one user: the real store, cache and connection. Screen replaces the components and their hooks. */
export class Page {
  readonly store = makeStore();
  /** lists: all requests for lists · refetched: those that the connection caused, after a resync or for a missing position. */
  readonly requests = { lists: 0, refetched: 0 };
  /** The last frames and events, the newest at the end. */
  readonly log: string[] = [];
  /** An email address and the _id of a thread, for each user and thread of which an event has come. */
  readonly heardThreads = new Set<string>();
  screens: Screen[] = [];
  private readonly connection: Connection;
  private status: ConnectionStatus = "off";
  private socket: Socket | null = null;
  private token: string | null = null;
  private unsubscribeMe: (() => void) | null = null;
  /** Topics whose subscription has not been answered yet. */
  private readonly unanswered = new Set<string>();
  private refetching = 0;

  constructor(readonly environment: Environment) {
    this.connection = new Connection(this.ports());
    globalThis.addEventListener(NETWORK_ERROR_EVENT, () => this.connection.probe());
    this.store.subscribe(() => this.onStoreChange());
    this.connection.start(null);
    this.openViews(home());
  }

  /** The signed-in user; null for a visitor. */
  get me() {
    return selectMe(this.store.getState());
  }

  /** Replaces the open screens by these. */
  openViews(...views: View[]): void {
    const before = this.screens;
    // The new screens are opened before the old ones are closed, so that common topics stay subscribed.
    this.screens = views.map((view) => new Screen(this.store, this.connection, view));
    for (const screen of before) screen.close();
  }

  /** Called when a suspended computer resumes. */
  resume(): void {
    this.connection.wake();
  }

  /** Counts a request for a list. */
  countRequest(): void {
    this.requests.lists += 1;
    if (this.refetching > 0) this.requests.refetched += 1;
  }

  /** Why the page is not up to date yet; null if it is. */
  pendingReason(): string | null {
    if (this.status !== "live") return `its connection is ${this.status}`;
    if (this.unanswered.size > 0) return `${[...this.unanswered]} unanswered`;
    const stale = this.connection.staleTopics;
    if (this.refetching > 0 || stale.length > 0) return `it refetches ${stale}`;
    for (const screen of this.screens) {
      if (screen.isPending) return `${screen.view.name} is loading`;
      if (screen.failure !== undefined && screen.isRetryable) {
        void screen.refetch();
        return `${screen.view.name} has failed`;
      }
    }
    return null;
  }

  private onStoreChange(): void {
    const token = selectAccessToken(this.store.getState());
    if (token === this.token) return;
    const signedIn = token !== null;
    const wasSignedIn = this.token !== null;
    this.token = token;
    this.connection.setToken(token);
    if (signedIn === wasSignedIn) return;
    this.unsubscribeMe?.();
    this.unsubscribeMe = signedIn ? this.connection.subscribe("me", "") : null;
    if (signedIn) return;
    this.openViews(home());
    const endReason = selectEndReason(this.store.getState());
    if (endReason !== null) this.environment.signedOut(endReason);
  }

  private ports(): ConnectionPorts {
    const ports = storePorts(this.store, () => undefined);
    const countRefetch = async (work: Promise<boolean>) => {
      this.refetching += 1;
      return work.finally(() => {
        this.refetching -= 1;
      });
    };
    return {
      ...ports,
      refetchLists: (topics) => countRefetch(ports.refetchLists(topics)),
      refetchUnpositioned: (topics) => countRefetch(ports.refetchUnpositioned(topics)),
      openSocket: (protocols) => this.connect(protocols),
      closeSocket: () => {
        this.socket?.drop();
        this.socket = null;
      },
      send: (text) => {
        const { subscribe = {} } = JSON.parse(text) as ClientFrame;
        for (const topic of Object.keys(subscribe)) this.unanswered.add(topic);
        this.addToLog("sent", text.slice(0, 200));
        this.socket?.send(text);
      },
      onStatus: (status) => {
        this.status = status;
        this.store.dispatch(connectionChanged(status === "live"));
        if (status === "live") this.store.dispatch(retryFailedQueries());
      },
      random: () => this.environment.random(),
    };
  }

  private connect(protocols: string[]): void {
    this.unanswered.clear();
    this.socket = this.environment.connect(protocols, {
      opened: () => this.connection.onOpen(),
      frame: (text) => {
        this.logFrame(JSON.parse(text) as ServerFrame);
        this.connection.onMessage(text);
      },
      closed: (code) => {
        this.addToLog("closed", code);
        this.connection.onClose(code);
      },
    });
  }

  private logFrame({ subscribed = {}, denied = [], resync = [], events = [] }: ServerFrame): void {
    for (const topic of [...Object.keys(subscribed), ...denied]) this.unanswered.delete(topic);
    if (Object.keys(subscribed).length > 0) this.addToLog("subscribed", subscribed);
    if (denied.length > 0) this.addToLog("denied", denied);
    if (resync.length > 0) this.addToLog("resync", resync);
    for (const { topic, type, position, data } of events) {
      const thread = type === "thread.changed" ? data._id : data.threadID;
      if (typeof thread === "string") this.heardThreads.add(`${this.me?.email} ${thread}`);
      this.addToLog("event", `${topic} ${position} ${type} ${data._id} v${data.version}`);
    }
  }

  private addToLog(kind: string, content: unknown): void {
    const at = new Date().toISOString().slice(14, 23);
    this.log.push(`${at} ${kind} ${typeof content === "string" ? content : JSON.stringify(content)}`);
    if (this.log.length > MAX_LOG) this.log.splice(0, MAX_LOG / 2);
  }
}
