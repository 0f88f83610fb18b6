import { beforeEach, expect, it, vi } from "vitest";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import { listHidden, listShown } from "@/api/shownLists";
import { Connection, type ListKind, type LiveList } from "@/lib/live";
import { isInLoadedRange } from "@/lib/live/normalizedList";
import { EMPTY_QUERY } from "@/lib/productQuery/query";
import {
  type ModelResponse,
  ModelServer,
  type Phone,
  seededRandomInt,
  TOPIC,
  TOPICS,
} from "@/testing/serverModel";
import { storeOf } from "@/testing/serverScreen";
import { storePorts } from "./storePorts";

const RUNS = 150;
const STEPS = 120;

const modelApi = api.injectEndpoints({
  endpoints: (build) => ({
    modelPhones: build.query(
      liveList<Phone, PageArg & { kind: ListKind; isByAvailability?: boolean }>(
        ({ kind }) => kind,
        () => "/model/phones",
        ({ isByAvailability }) => (isByAvailability ? EMPTY_QUERY : undefined),
      ),
    ),
  }),
});
const { modelPhones } = modelApi.endpoints;

/** The tested lists: one of a brand, with its topic's position, and one of several brands, without a position. */
const LISTS = { brandProducts: [TOPIC], marketProducts: TOPICS } as const;
type Kind = keyof typeof LISTS;

beforeEach(() => {
  vi.useFakeTimers();
});

/** A Response with the properties that RTK Query reads. */
function toFetchResponse({ position, body }: ModelResponse, kind: Kind): Response {
  const headers = new Headers({ "content-type": "application/json", "X-Total-Count": String(body?.total) });
  if (kind === "brandProducts") headers.set("Live-Position", `${TOPIC}=${position}`);
  if (body?.next) headers.set("Link", `</model/phones?cursor=${encodeURIComponent(body.next)}>; rel="next"`);
  const text = async () => JSON.stringify(body?.items);
  const response = { ok: true, status: 200, headers, text, clone: () => response };
  return response as unknown as Response;
}

/** The real client, from the Connection to the cache, connected to the model of the server. */
function createClient(
  server: ModelServer,
  kind: Kind,
  isByAvailability: boolean,
  randomInt: (bound: number) => number,
) {
  const store = storeOf(null);
  vi.stubGlobal("fetch", (request: Request) => {
    const cursor = new URL(request.url).searchParams.get("cursor");
    return new Promise<Response>((resolve, reject) =>
      server.request(cursor, (response) =>
        response === "failure"
          ? reject(new TypeError("no response"))
          : resolve(toFetchResponse(response, kind)),
      ),
    );
  });
  const removedIds = new Set<string>();
  const ports = storePorts(store, () => undefined);
  const connection = new Connection({
    ...ports,
    applyEvents: (events) => {
      ports.applyEvents(events);
      for (const { type, data } of events) if (type === "product.removed") removedIds.add(data._id);
    },
    openSocket: () => server.accept(),
    closeSocket: () => server.closeSocket(),
    send: (text) => server.receive(JSON.parse(text) as object),
    onStatus: () => undefined,
    random: () => randomInt(100) / 100,
  });
  const list = (): LiveList<Phone> | undefined =>
    modelPhones.select({ kind, isByAvailability })(store.getState()).data;

  // Like a screen: subscribes to the query, and to the list's topic (useLiveTopic) or topics (useLiveTopics).
  let screen: { unsubscribe: () => void; listVersion: string } | null = null;
  let query: { unsubscribe: () => void } | null = null;
  const updateSubscriptions = () => {
    const current = list();
    if (!query || !current) return;
    const position = current.position ?? "";
    const listVersion = `${position} ${current.startedAt}`;
    if (!screen) {
      const unsubscribes = server.topics.map((topic) =>
        connection.subscribe(topic, position, current.startedAt),
      );
      const id = current.id ?? "";
      unsubscribes.push(() => void store.dispatch(listHidden(id)));
      screen = { unsubscribe: () => unsubscribes.forEach((unsubscribe) => void unsubscribe()), listVersion };
      store.dispatch(listShown(id));
    } else if (screen.listVersion !== listVersion) {
      for (const topic of server.topics) connection.listFetched(topic, position, current.startedAt);
    }
    screen.listVersion = listVersion;
  };
  store.subscribe(updateSubscriptions);
  return {
    connection,
    list,
    /** Phones whose removal has been applied. */
    removedIds,
    open: () => {
      query ??= store.dispatch(modelPhones.initiate({ kind, isByAvailability }));
      updateSubscriptions();
    },
    close: () => {
      query?.unsubscribe();
      query = null;
      screen?.unsubscribe();
      screen = null;
    },
    loadMore: () => {
      const cursor = list()?.nextCursor;
      if (cursor)
        void store.dispatch(
          modelPhones.initiate({ kind, isByAvailability, cursor }, { forceRefetch: true, subscribe: false }),
        );
    },
    refetch: () =>
      void store.dispatch(
        modelPhones.initiate({ kind, isByAvailability }, { forceRefetch: true, subscribe: false }),
      ),
  };
}

type Client = ReturnType<typeof createClient>;

function deliver(server: ModelServer, { connection }: Client): void {
  const frame = server.inFlight?.shift();
  if (!frame) return;
  if ("hello" in frame) connection.onOpen();
  connection.onMessage(JSON.stringify(frame));
}

/** Runs one random action. */
async function step(
  server: ModelServer,
  client: Client,
  randomInt: (bound: number) => number,
): Promise<void> {
  const id = [...server.phones.keys()][randomInt(Math.max(1, server.phones.size))] ?? "";
  const closeSocket = (code: number) => {
    if (!server.inFlight) return;
    server.closeSocket();
    client.connection.onClose(code);
  };
  const restart = () => {
    server.restart();
    client.connection.onClose(1006);
  };
  const actions: [number, () => void][] = [
    [4, () => server.add()],
    [8, () => server.toggleBooked(id)],
    [3, () => server.remove(id)],
    [12, () => server.publish()],
    [14, () => deliver(server, client)],
    [
      10,
      () =>
        server.advanceResponse(randomInt(Math.max(1, server.pendingResponses.length)), randomInt(12) === 0),
    ],
    [3, () => client.open()],
    [1, () => client.close()],
    [3, () => client.loadMore()],
    [2, () => client.refetch()],
    [2, () => closeSocket([1006, 1012, 4408][randomInt(3)] ?? 1006)],
    [1, () => restart()],
  ];
  let pick = randomInt(actions.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, action] of actions) {
    pick -= weight;
    if (pick < 0) {
      action();
      break;
    }
  }
  await vi.advanceTimersByTimeAsync([0, 1, 100, 300][randomInt(4)] ?? 0);
}

/** Waits until no request or event is pending. */
async function waitUntilIdle(server: ModelServer, client: Client): Promise<void> {
  client.open();
  for (let i = 0; i < 400; i++) {
    // The user retries a first request that failed.
    if (!client.list()) client.refetch();
    server.publish();
    deliver(server, client);
    server.advanceResponse(0, false);
    await vi.advanceTimersByTimeAsync(100);
  }
}

it.each([
  ["brandProducts", false],
  ["marketProducts", false],
  ["brandProducts", true],
] as const)(
  `%s (by availability: %s) is equal to the server's list after any sequence of delays and failures (${RUNS} runs of ${STEPS} steps)`,
  async (kind, isByAvailability) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const randomInt = seededRandomInt(seed);
      const server = new ModelServer(LISTS[kind], isByAvailability);
      const client = createClient(server, kind, isByAvailability, randomInt);
      for (let i = 0; i < 5; i++) server.add();
      client.connection.start(null);
      let previous: Record<string, Phone> = {};
      for (let i = 0; i < STEPS; i++) {
        await step(server, client, randomInt);
        const entities = client.list()?.entities ?? {};
        for (const { _id, version } of Object.values(entities)) {
          const where = `seed ${seed}, step ${i}: ${_id}`;
          expect(version, `${where} has an older version`).toBeGreaterThanOrEqual(
            previous[_id]?.version ?? 0,
          );
          expect(client.removedIds.has(_id), `${where} was added again after its removal`).toBe(false);
        }
        previous = entities;
      }
      await waitUntilIdle(server, client);
      const list = client.list();
      if (isByAvailability) {
        // Phones that changed stay in their place, so the order is not compared.
        const shown = server.list.filter(({ _id }) => list && _id in list.entities);
        expect(
          Object.values(list?.entities ?? {}).toSorted((a, b) => (a._id < b._id ? 1 : -1)),
          `seed ${seed}`,
        ).toEqual(shown.toSorted((a, b) => (a._id < b._id ? 1 : -1)));
        const missing = server.list.filter(
          (phone) => list && !(phone._id in list.entities) && isInLoadedRange(list, phone),
        );
        expect(missing, `seed ${seed} does not show`).toEqual([]);
        client.connection.stop();
        client.close();
        continue;
      }
      const last = list?.nextCursor ? list.ids.at(-1) : undefined;
      const expected = server.list.filter(({ _id }) => last === undefined || _id >= last);
      expect(
        list?.ids.map((id) => list.entities[id]),
        `seed ${seed}`,
      ).toEqual(expected);
      client.connection.stop();
      client.close();
    }
  },
  120_000,
);
