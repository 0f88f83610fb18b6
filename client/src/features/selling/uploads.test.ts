import { describe, expect, test } from "vitest";
import { parseErrorBody } from "@/api/errors";
import { Uploads } from "./uploads";

const file = (name: string) => new File([name], name, { type: "image/jpeg" });

/** An image host that answers when it is told to. */
function host() {
  const calls: {
    file: File;
    signal: AbortSignal;
    progress: (sent: number, total: number) => void;
    arrive: (url: string) => void;
    fail: (status: number) => void;
  }[] = [];
  const uploads = new Uploads(
    (file, signal, progress) =>
      new Promise((arrive, refuse) => {
        calls.push({
          file,
          signal,
          progress,
          arrive,
          fail: (status) => refuse(parseErrorBody(status, null)),
        });
      }),
  );
  const now = (file: File) => uploads.snapshot().get(file);
  /** The call of a file; the last one where it was sent several times. */
  const call = (file: File) => {
    const found = calls.findLast((one) => one.file === file);
    if (!found) throw new Error(`${file.name} was not sent`);
    return found;
  };
  return { uploads, calls, call, now };
}

describe("uploads", () => {
  test("tell how far each file is, and where it is in the end", async () => {
    const { uploads, call, now } = host();
    const a = file("a");
    uploads.start(a);
    expect(now(a)).toEqual({ is: "sending", sent: 0, total: 0 });
    call(a).progress(20, 80);
    expect(now(a)).toEqual({ is: "sending", sent: 20, total: 80 });
    call(a).progress(80, 80);
    expect(now(a)).toEqual({ is: "developing" });
    call(a).arrive("/images/a.jpg");
    expect(await uploads.settled([a])).toBe(0);
    expect(now(a)).toEqual({ is: "there", url: "/images/a.jpg" });
  });

  test("are two at a time, the others wait for their turn", async () => {
    const { uploads, calls, call, now } = host();
    const [a, b, c] = [file("a"), file("b"), file("c")];
    for (const one of [a, b, c]) uploads.start(one);
    expect(calls).toHaveLength(2);
    expect(now(c)).toEqual({ is: "waiting" });
    call(a).arrive("/images/a.jpg");
    await expect.poll(() => calls.length).toBe(3);
  });

  test("one that fails leaves the others alone and can be sent again", async () => {
    const { uploads, calls, call, now } = host();
    const [a, b] = [file("a"), file("b")];
    uploads.start(a);
    uploads.start(b);
    const all = uploads.settled([a, b]);
    call(a).fail(503);
    call(b).arrive("/images/b.jpg");
    expect(await all).toBe(1);
    expect(now(a)).toMatchObject({ is: "failed", error: { status: 503 } });
    uploads.start(b);
    uploads.start(a);
    expect(calls).toHaveLength(3);
    call(a).arrive("/images/a.jpg");
    expect(await uploads.settled([a, b])).toBe(0);
  });

  test.each([413, 415, 422])("what the host answers with %d is not sent again", async (status) => {
    const { uploads, calls, call, now } = host();
    const a = file("a");
    uploads.start(a);
    call(a).fail(status);
    expect(await uploads.settled([a])).toBe(1);
    expect(now(a)).toMatchObject({ is: "refused", error: { status } });
    uploads.start(a);
    expect(calls).toHaveLength(1);
  });

  test("that are stopped end, and a late answer changes nothing", async () => {
    const { uploads, calls, call, now } = host();
    const a = file("a");
    uploads.start(a);
    const first = call(a);
    uploads.stop(a);
    expect(first.signal.aborted).toBe(true);
    expect(await uploads.settled([a])).toBe(1);
    uploads.start(a);
    expect(calls).toHaveLength(2);
    first.arrive("/images/late.jpg");
    call(a).arrive("/images/a.jpg");
    expect(await uploads.settled([a])).toBe(0);
    expect(now(a)).toEqual({ is: "there", url: "/images/a.jpg" });
  });

  test("that failed without a connection are sent again when it is back, others are not", async () => {
    const { uploads, calls, call } = host();
    const [a, b] = [file("a"), file("b")];
    uploads.start(a);
    uploads.start(b);
    call(a).fail(0);
    call(b).fail(500);
    await uploads.settled([a, b]);
    uploads.online();
    expect(calls.map((one) => one.file.name)).toEqual(["a", "b", "a"]);
  });
});
