import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { RESTART_JITTER_MS } from "@/lib/live/closeCodes";
import { acceptSocket, advance, onServer, setUp, startLive } from "@/testing/liveScreen";
import { FakeSocket } from "@/testing/socket";
import { DELAY_MS, RECONNECTED_MS } from "./ConnectionBanner";

startLive();

describe("the banner", () => {
  const banner = () => screen.getByRole("status", { name: "Live updates" });

  it("appears only for interruptions of two seconds or more", async () => {
    await setUp();
    expect(banner()).toBeEmptyDOMElement();
    await onServer(() => FakeSocket.latest.closeByServer());
    await advance(1500);
    expect(banner()).toBeEmptyDOMElement();
    await advance(1000);
    expect(banner()).toHaveTextContent("Live updates are interrupted. Reconnecting…");
    await advance(2000);
    await acceptSocket();
    expect(banner()).toHaveTextContent("Live updates are back");
    await advance(RECONNECTED_MS);
    expect(banner()).toBeEmptyDOMElement();
  });

  it("appears during a server restart only if it takes too long", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.999);
    await setUp();
    await onServer(() => FakeSocket.latest.closeByServer(1012));
    await advance(RESTART_JITTER_MS);
    expect(FakeSocket.all).toHaveLength(2);
    expect(banner()).toBeEmptyDOMElement();
    await advance(DELAY_MS);
    expect(banner()).toHaveTextContent("Live updates are interrupted. Reconnecting…");
  });

  it("says when the browser is offline", async () => {
    await setUp();
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await onServer(() => window.dispatchEvent(new Event("offline")));
    await advance(DELAY_MS);
    expect(banner()).toHaveTextContent("You are offline");
    onLine.mockReturnValue(true);
    await onServer(() => window.dispatchEvent(new Event("online")));
    await advance(0);
    expect(banner()).toHaveTextContent("Live updates are interrupted. Reconnecting…");
    await acceptSocket();
    expect(banner()).toHaveTextContent("Live updates are back");
    onLine.mockRestore();
  });

  it("says when live updates have stopped", async () => {
    await setUp();
    await onServer(() => FakeSocket.latest.closeByServer(1008));
    await advance(2500);
    expect(banner()).toHaveTextContent("Live updates have stopped. Reload the page");
  });
});
