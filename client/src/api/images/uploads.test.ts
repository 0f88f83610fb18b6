import { describe, expect, test } from "vitest";
import { parseErrorBody } from "@/api/errors";
import { Uploads } from "./uploads";

const file = (name: string) => new File([name], name, { type: "image/jpeg" });

/** An image host whose responses are controlled by the test. */
function createHost() {
  const calls: {
    file: File;
    signal: AbortSignal;
    progress: (sent: number, total: number) => void;
    succeed: (url: string) => void;
    fail: (status: number) => void;
  }[] = [];
  const uploads = new Uploads(
    (file, signal, progress) =>
      new Promise((succeed, reject) => {
        calls.push({
          file,
          signal,
          progress,
          succeed,
          fail: (status) => reject(parseErrorBody(status, null)),
        });
      }),
  );
  const stateOf = (file: File) => uploads.getSnapshot().get(file);
  /** The last call for a file. */
  const callFor = (file: File) => {
    const call = calls.findLast((sent) => sent.file === file);
    if (!call) throw new Error(`${file.name} was not sent`);
    return call;
  };
  return { uploads, calls, callFor, stateOf };
}

describe("uploads", () => {
  test("have the progress of each file, and its URL at the end", async () => {
    const { uploads, callFor, stateOf } = createHost();
    const a = file("a");
    uploads.start(a);
    expect(stateOf(a)).toEqual({ status: "uploading", sent: 0, total: 0 });
    callFor(a).progress(20, 80);
    expect(stateOf(a)).toEqual({ status: "uploading", sent: 20, total: 80 });
    callFor(a).progress(80, 80);
    expect(stateOf(a)).toEqual({ status: "processing" });
    callFor(a).succeed("/images/a.jpg");
    expect(await uploads.waitForAll([a])).toBe(0);
    expect(stateOf(a)).toEqual({ status: "uploaded", url: "/images/a.jpg" });
  });

  test("run two at a time while the others wait", async () => {
    const { uploads, calls, callFor, stateOf } = createHost();
    const [a, b, c] = [file("a"), file("b"), file("c")];
    for (const photo of [a, b, c]) uploads.start(photo);
    expect(calls).toHaveLength(2);
    expect(stateOf(c)).toEqual({ status: "waiting" });
    callFor(a).succeed("/images/a.jpg");
    await expect.poll(() => calls.length).toBe(3);
  });

  test("are independent, and a failed one can be repeated", async () => {
    const { uploads, calls, callFor, stateOf } = createHost();
    const [a, b] = [file("a"), file("b")];
    uploads.start(a);
    uploads.start(b);
    const all = uploads.waitForAll([a, b]);
    callFor(a).fail(503);
    callFor(b).succeed("/images/b.jpg");
    expect(await all).toBe(1);
    expect(stateOf(a)).toMatchObject({ status: "failed", error: { status: 503 } });
    uploads.start(b);
    uploads.start(a);
    expect(calls).toHaveLength(3);
    callFor(a).succeed("/images/a.jpg");
    expect(await uploads.waitForAll([a, b])).toBe(0);
  });

  test.each([413, 415, 422])("are not repeated after a %d", async (status) => {
    const { uploads, calls, callFor, stateOf } = createHost();
    const a = file("a");
    uploads.start(a);
    callFor(a).fail(status);
    expect(await uploads.waitForAll([a])).toBe(1);
    expect(stateOf(a)).toMatchObject({ status: "rejected", error: { status } });
    uploads.start(a);
    expect(calls).toHaveLength(1);
  });

  test("that are stopped are aborted, and a late response changes nothing", async () => {
    const { uploads, calls, callFor, stateOf } = createHost();
    const a = file("a");
    uploads.start(a);
    const first = callFor(a);
    uploads.stop(a);
    expect(first.signal.aborted).toBe(true);
    expect(await uploads.waitForAll([a])).toBe(1);
    uploads.start(a);
    expect(calls).toHaveLength(2);
    first.succeed("/images/late.jpg");
    callFor(a).succeed("/images/a.jpg");
    expect(await uploads.waitForAll([a])).toBe(0);
    expect(stateOf(a)).toEqual({ status: "uploaded", url: "/images/a.jpg" });
  });

  test("that failed with a network error are repeated when the browser is online, and others are not", async () => {
    const { uploads, calls, callFor } = createHost();
    const [a, b] = [file("a"), file("b")];
    uploads.start(a);
    uploads.start(b);
    callFor(a).fail(0);
    callFor(b).fail(500);
    await uploads.waitForAll([a, b]);
    uploads.retryAfterReconnect();
    expect(calls.map((call) => call.file.name)).toEqual(["a", "b", "a"]);
  });
});
