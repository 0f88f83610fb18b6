import { vi } from "vitest";
import { Connection, type LiveEvent } from "@/lib/live";

/** An access token of this subject; `expiresIn` is in seconds. */
export const token = (name: string, expiresIn = 3600) =>
  `h.${btoa(JSON.stringify({ sub: name, exp: Math.floor(Date.now() / 1000) + expiresIn }))}.s`;

/** A connection whose ports record their calls in `calls` and return `results`. */
export function makeConnection(random = () => 0.5, onConnect: () => void = () => undefined) {
  const calls = {
    openedSockets: [] as string[][],
    closedSockets: 0,
    sent: [] as Record<string, unknown>[],
    appliedEvents: [] as LiveEvent[][],
    clearedTopics: [] as (string[] | null)[],
    refetchedTopics: [] as string[][],
    refetchedUnpositioned: [] as string[][],
    deniedTopics: [] as string[],
    refusedHandshakes: 0,
    renewals: 0,
    accountRemovals: 0,
    refusalReasons: [] as string[],
    statuses: [] as string[],
  };
  const results = { refetch: true, token: null as string | null };
  const connection = new Connection({
    openSocket: (protocols) => {
      calls.openedSockets.push(protocols);
      onConnect();
    },
    closeSocket: () => {
      calls.closedSockets += 1;
    },
    send: (text) => calls.sent.push(JSON.parse(text) as Record<string, unknown>),
    applyEvents: (events) => calls.appliedEvents.push(events),
    clearEvents: (topics) => calls.clearedTopics.push(topics),
    refetchLists: async (topics) => {
      calls.refetchedTopics.push([...topics]);
      return results.refetch;
    },
    refetchUnpositioned: async (topics) => {
      calls.refetchedUnpositioned.push([...topics]);
      return results.refetch;
    },
    onDenied: (topic) => calls.deniedTopics.push(topic),
    renewToken: async () => {
      calls.renewals += 1;
      return results.token;
    },
    onHandshakeRefused: () => {
      calls.refusedHandshakes += 1;
    },
    onTokenRefused: (reason) => calls.refusalReasons.push(reason),
    onAccountRemoved: () => {
      calls.accountRemovals += 1;
    },
    onStatus: (status) => calls.statuses.push(status),
    random,
  });
  const receive = (frame: object) => connection.onMessage(JSON.stringify(frame));
  /** The server accepts the socket and sends its hello. */
  const receiveHello = () => {
    connection.onOpen();
    receive({ hello: { session: "s", heartbeat: 25 } });
  };
  const subscribeFrames = () => calls.sent.flatMap((frame) => (frame.subscribe ? [frame.subscribe] : []));
  return { connection, calls, results, receive, receiveHello, subscribeFrames };
}

/** An event that changes the phone "a". */
export const event = (position: string, version: number, topic = "brand:1"): LiveEvent => ({
  topic,
  position,
  type: "product.changed",
  at: "2026-11-21T04:00:00Z",
  data: { _id: "a", version },
});

/** A live connection that is subscribed to brand:1 from p1. */
export async function liveConnection() {
  const harness = makeConnection();
  harness.connection.start(null);
  harness.receiveHello();
  harness.connection.subscribe("brand:1", "p1", performance.now());
  await vi.advanceTimersByTimeAsync(100);
  harness.receive({ subscribed: { "brand:1": "p1" } });
  return harness;
}
