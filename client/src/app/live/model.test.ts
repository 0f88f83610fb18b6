import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import { listHidden, listShown } from "@/api/shownLists";
import { Connection, type ListKind, type LiveList } from "@/lib/live";
import { type Answer, dice, ModelServer, type Phone, TOPIC, TOPICS } from "@/testing/serverModel";
import { storeOf } from "@/testing/serverScreen";
import { storePorts } from "./storePorts";

const RUNS = 150;
const STEPS = 120;

const modelApi = api.injectEndpoints({
  endpoints: (build) => ({
    modelPhones: build.query(
      liveList<Phone, PageArg & { kind: ListKind }>(
        ({ kind }) => kind,
        () => "/model/phones",
      ),
    ),
  }),
});
const { modelPhones } = modelApi.endpoints;

/** The lists that are played: one of a brand, with its topic's position, and one of several brands, with none. */
const LISTS = { brandProducts: [TOPIC], marketProducts: TOPICS } as const;
type Kind = keyof typeof LISTS;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What fetch resolves with: as much of a Response as is read. */
function responseOf(answer: Answer, kind: Kind): Response {
  const headers = new Headers({
    "content-type": "application/json",
    "X-Total-Count": String(answer.body?.total),
  });
  if (kind === "brandProducts") headers.set("Live-Position", `${TOPIC}=${answer.position}`);
  if (answer.body?.next) headers.set("Link", `</model/phones?cursor=${answer.body.next}>; rel="next"`);
  const text = async () => JSON.stringify(answer.body?.items);
  const response = { ok: true, status: 200, headers, text, clone: () => response };
  return response as unknown as Response;
}

/** The real client, from the Connection to the cache, at the model's other end. */
function client(server: ModelServer, kind: Kind, roll: (sides: number) => number) {
  const store = storeOf(null);
  vi.stubGlobal("fetch", (request: Request) => {
    const cursor = new URL(request.url).searchParams.get("cursor");
    return new Promise<Response>((resolve, reject) =>
      server.ask(cursor, (answer) =>
        answer === "failure" ? reject(new TypeError("no answer")) : resolve(responseOf(answer, kind)),
      ),
    );
  });
  const gone = new Set<string>();
  const ports = storePorts(store, () => undefined);
  const connection = new Connection({
    ...ports,
    applyEvents: (events) => {
      ports.applyEvents(events);
      for (const { type, data } of events) if (type === "product.removed") gone.add(data._id);
    },
    openSocket: () => server.accept(),
    closeSocket: () => server.hangUp(),
    send: (text) => server.receive(JSON.parse(text) as object),
    onStatus: () => undefined,
    random: () => roll(100) / 100,
  });
  const list = (): LiveList<Phone> | undefined => modelPhones.select({ kind })(store.getState()).data;

  // What a screen does: subscribes to the query, and to the list's topic (useLiveTopic) or its topics (useLiveTopics).
  let screen: { leave: () => void; told: string } | null = null;
  let query: { unsubscribe: () => void } | null = null;
  const follow = () => {
    const now = list();
    if (!query || !now) return;
    const position = now.position ?? "";
    const told = `${position} ${now.startedAt}`;
    if (!screen) {
      const leaves = server.topics.map((topic) => connection.subscribe(topic, position, now.startedAt));
      const id = now.id ?? "";
      leaves.push(() => void store.dispatch(listHidden(id)));
      screen = { leave: () => leaves.forEach((leave) => void leave()), told };
      store.dispatch(listShown(id));
    } else if (screen.told !== told) {
      for (const topic of server.topics) connection.listFetched(topic, position, now.startedAt);
    }
    screen.told = told;
  };
  store.subscribe(follow);
  return {
    connection,
    list,
    /** Phones whose removal has been applied. */
    gone,
    open: () => {
      query ??= store.dispatch(modelPhones.initiate({ kind }));
      follow();
    },
    close: () => {
      query?.unsubscribe();
      query = null;
      screen?.leave();
      screen = null;
    },
    more: () => {
      const cursor = list()?.nextCursor;
      if (cursor)
        void store.dispatch(modelPhones.initiate({ kind, cursor }, { forceRefetch: true, subscribe: false }));
    },
    refetch: () =>
      void store.dispatch(modelPhones.initiate({ kind }, { forceRefetch: true, subscribe: false })),
  };
}

type Client = ReturnType<typeof client>;

function deliver(server: ModelServer, { connection }: Client): void {
  const frame = server.wire?.shift();
  if (!frame) return;
  if ("hello" in frame) connection.onOpen();
  connection.onMessage(JSON.stringify(frame));
}

/** One thing that may happen, chosen by chance. */
async function step(server: ModelServer, me: Client, roll: (sides: number) => number): Promise<void> {
  const some = [...server.phones.keys()][roll(Math.max(1, server.phones.size))] ?? "";
  const drop = (code: number) => {
    if (!server.wire) return;
    server.hangUp();
    me.connection.onClose(code);
  };
  const restart = () => {
    server.restart();
    me.connection.onClose(1006);
  };
  const acts: [number, () => void][] = [
    [4, () => server.add()],
    [8, () => server.flip(some)],
    [3, () => server.remove(some)],
    [12, () => server.publish()],
    [14, () => deliver(server, me)],
    [10, () => server.step(roll(Math.max(1, server.answers.length)), roll(12) === 0)],
    [3, () => me.open()],
    [1, () => me.close()],
    [3, () => me.more()],
    [2, () => me.refetch()],
    [2, () => drop([1006, 1012, 4408][roll(3)] ?? 1006)],
    [1, () => restart()],
  ];
  let at = roll(acts.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, act] of acts) {
    at -= weight;
    if (at < 0) {
      act();
      break;
    }
  }
  await vi.advanceTimersByTimeAsync([0, 1, 100, 300][roll(4)] ?? 0);
}

/** Waits until nothing is under way. */
async function settle(server: ModelServer, me: Client): Promise<void> {
  me.open();
  for (let i = 0; i < 400; i++) {
    // A first load that failed is tried again by the user.
    if (!me.list()) me.refetch();
    server.publish();
    deliver(server, me);
    server.step(0, false);
    await vi.advanceTimersByTimeAsync(100);
  }
}

it.each(["brandProducts", "marketProducts"] as const)(
  `%s shows what the server has after whatever happened on the way (${RUNS} times ${STEPS} steps)`,
  async (kind) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const roll = dice(seed);
      const server = new ModelServer(LISTS[kind]);
      const me = client(server, kind, roll);
      for (let i = 0; i < 5; i++) server.add();
      me.connection.start(null);
      let before: Record<string, Phone> = {};
      for (let i = 0; i < STEPS; i++) {
        await step(server, me, roll);
        const shown = me.list()?.entities ?? {};
        for (const { _id, version } of Object.values(shown)) {
          const where = `seed ${seed}, step ${i}: ${_id}`;
          expect(version, `${where} went back`).toBeGreaterThanOrEqual(before[_id]?.version ?? 0);
          expect(me.gone.has(_id), `${where} came back`).toBe(false);
        }
        before = shown;
      }
      await settle(server, me);
      const list = me.list();
      const last = list?.nextCursor ? list.ids.at(-1) : undefined;
      const expected = server.list.filter(({ _id }) => last === undefined || _id >= last);
      expect(
        list?.ids.map((id) => list.entities[id]),
        `seed ${seed}`,
      ).toEqual(expected);
      me.connection.stop();
      me.close();
    }
  },
  120_000,
);
