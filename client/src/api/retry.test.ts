import { beforeEach, describe, expect, it, vi } from "vitest";
import { karim } from "@/testing/factories";
import { storeOf } from "@/testing/serverScreen";
import { api } from "./api";

const { testQuery, testWrite } = api.injectEndpoints({
  endpoints: (build) => ({
    testQuery: build.query<string, string>({ query: (path) => path }),
    testWrite: build.mutation<string, string>({ query: (url) => ({ url, method: "POST" }) }),
  }),
}).endpoints;

/** The times of the requests, whole seconds. */
let sentAt: number[];
/** The responses of the server, in order; after the last one it responds with 200. */
let responses: Response[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  vi.spyOn(Math, "random").mockReturnValue(0);
  const startedAt = Date.now();
  [sentAt, responses] = [[], []];
  vi.stubGlobal("fetch", async () => {
    sentAt.push(Math.floor((Date.now() - startedAt) / 1000));
    return responses.shift() ?? Response.json("yes");
  });
});

const refusal = (status: number, seconds?: number) =>
  Response.json(
    { message: "Later", code: "test" },
    { status, headers: seconds === undefined ? {} : { "Retry-After": String(seconds) } },
  );

/** The status of the result: 200, or that of its error. */
async function settle(request: Promise<{ error?: unknown }>): Promise<number> {
  const result = request.then(({ error }) => (error as { status: number } | undefined)?.status ?? 200);
  await vi.advanceTimersByTimeAsync(120_000);
  return result;
}

describe("a query that the server refuses", () => {
  it.each([429, 503])("with %i and a short Retry-After is sent again", async (status) => {
    responses = [refusal(status, 2)];
    expect(await settle(storeOf(karim).dispatch(testQuery.initiate("/x")))).toBe(200);
    expect(sentAt).toEqual([0, 2]);
  });

  it("is sent at most three times, after growing delays, and then fails", async () => {
    responses = [1, 2, 3, 4].map(() => refusal(503, 1));
    expect(await settle(storeOf(karim).dispatch(testQuery.initiate("/x")))).toBe(503);
    expect(sentAt).toEqual([0, 2, 6]);
  });

  it("with a longer Retry-After fails at once, and is not sent before that time, whatever the person presses", async () => {
    responses = [refusal(429, 20)];
    const store = storeOf(karim);
    const first = store.dispatch(testQuery.initiate("/x"));
    await vi.advanceTimersByTimeAsync(3000);
    expect((await first).error).toMatchObject({ status: 429 });
    const again = store.dispatch(testQuery.initiate("/x", { forceRefetch: true }));
    for (const event of ["click", "popstate", "online"]) window.dispatchEvent(new Event(event));
    const other = store.dispatch(testQuery.initiate("/y"));
    expect(await settle(Promise.all([again, other]).then(([{ error }]) => ({ error })))).toBe(200);
    expect(sentAt).toEqual([0, 3, 20]);
  });

  it("without Retry-After fails at once", async () => {
    responses = [refusal(503)];
    expect(await settle(storeOf(karim).dispatch(testQuery.initiate("/x")))).toBe(503);
    expect(sentAt).toEqual([0]);
  });

  it("and that was forced is left to the caller", async () => {
    responses = [refusal(503, 1)];
    expect(await settle(storeOf(karim).dispatch(testQuery.initiate("/x", { forceRefetch: true })))).toBe(503);
    expect(sentAt).toEqual([0]);
  });

  it("is not sent again after it was aborted", async () => {
    responses = [refusal(503, 2)];
    const query = storeOf(karim).dispatch(testQuery.initiate("/x"));
    await vi.advanceTimersByTimeAsync(1000);
    query.abort();
    await settle(query);
    expect(sentAt).toEqual([0]);
  });
});

it("a mutation is neither repeated nor delayed", async () => {
  responses = [refusal(503, 2)];
  const store = storeOf(karim);
  expect((await store.dispatch(testWrite.initiate("/x"))).error).toMatchObject({ status: 503 });
  expect((await store.dispatch(testWrite.initiate("/x"))).error).toBeUndefined();
  expect(sentAt).toEqual([0, 0]);
});
