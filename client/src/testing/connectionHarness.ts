import { vi } from "vitest";
import { Connection, type LiveEvent } from "@/lib/live";

/** A token that expires this many seconds from now. */
export const token = (name: string, endsIn = 3600) =>
  `h.${btoa(JSON.stringify({ sub: name, exp: Math.floor(Date.now() / 1000) + endsIn }))}.s`;

/** A connection whose ports record its calls in `did`; `will` sets what they return. */
export function makeConnection(random = () => 0.5, onConnect: () => void = () => undefined) {
  const did = {
    sockets: [] as string[][],
    hungUp: 0,
    sent: [] as Record<string, unknown>[],
    applied: [] as LiveEvent[][],
    forgot: [] as (string[] | null)[],
    refetched: [] as string[][],
    subscribed: [] as string[][],
    denied: [] as string[],
    handshakesRefused: 0,
    renewals: 0,
    accountRemoved: 0,
    statuses: [] as string[],
  };
  const will = { refetch: true, token: null as string | null };
  const connection = new Connection({
    connect: (protocols) => {
      did.sockets.push(protocols);
      onConnect();
    },
    disconnect: () => {
      did.hungUp += 1;
    },
    send: (text) => did.sent.push(JSON.parse(text) as Record<string, unknown>),
    apply: (events) => did.applied.push(events),
    forget: (topics) => did.forgot.push(topics),
    refetch: async (topics) => {
      did.refetched.push([...topics]);
      return will.refetch;
    },
    subscribed: async (topics) => {
      did.subscribed.push([...topics]);
      return will.refetch;
    },
    denied: (topic) => did.denied.push(topic),
    renewToken: async () => {
      did.renewals += 1;
      return will.token;
    },
    handshakeRefused: () => {
      did.handshakesRefused += 1;
    },
    accountRemoved: () => {
      did.accountRemoved += 1;
    },
    status: (status) => did.statuses.push(status),
    random,
  });
  const say = (frame: object) => connection.frame(JSON.stringify(frame));
  /** The server accepts the socket and says hello. */
  const greet = () => {
    connection.opened();
    say({ hello: { session: "s", heartbeat: 25 } });
  };
  const subscribes = () => did.sent.flatMap((frame) => (frame.subscribe ? [frame.subscribe] : []));
  return { connection, did, will, say, greet, subscribes };
}

/** A change of the phone "a". */
export const event = (position: string, version: number, topic = "brand:1"): LiveEvent => ({
  topic,
  position,
  type: "product.changed",
  at: "2026-11-21T04:00:00Z",
  data: { _id: "a", version },
});

/** A live connection that is subscribed to brand:1 from p1. */
export async function live() {
  const w = makeConnection();
  w.connection.start(null);
  w.greet();
  w.connection.want("brand:1", "p1", Date.now());
  await vi.advanceTimersByTimeAsync(100);
  w.say({ subscribed: { "brand:1": "p1" } });
  return w;
}
