import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { useIsModerator, useRole } from "@/api/role";
import { usePayableBooking } from "@/features/payment/usePayableBooking";
import { WatchedPhones } from "@/features/watching/WatchedPhones";
import { aBooking, anEvent, aProduct, karim, salma } from "@/testing/factories";
import {
  acceptSocket,
  advance,
  onServer,
  renderConnected,
  setUp,
  startLive,
  waitForResponses,
} from "@/testing/liveScreen";
import { callsTo, errorResponse, on, onList, onRole } from "@/testing/server";
import { signInAs, storeOf } from "@/testing/serverScreen";
import { FakeSocket } from "@/testing/socket";

startLive();

describe("the user's own topic", () => {
  it("is subscribed after a sign-in, also if the visitor's socket gets its hello at the same moment", async () => {
    const store = storeOf(null);
    renderConnected(store, <p>A page without lists</p>);
    await advance(0);
    const visitors = FakeSocket.latest;
    await onServer(() => visitors.open());
    // Not in "act": the connection has left the visitor's socket, and React has not unmounted it yet.
    signInAs(store, salma);
    await Promise.resolve();
    visitors.receive({ hello: { session: "test", heartbeat: 25 } });
    await waitForResponses();
    await acceptSocket();
    expect(FakeSocket.latest).not.toBe(visitors);
    expect(visitors.sent).toEqual([]);
    expect(FakeSocket.latest.subscribeFrames).toContainEqual({ me: "" });
  });

  function Verified() {
    const { isVerified } = useRole();
    return <p>{isVerified ? "verified" : "not verified"}</p>;
  }

  it("shows a buyer who has become a seller in another window what sellers see", async () => {
    function OwnRole() {
      return <p>{useRole().role}</p>;
    }
    onRole(karim.email, "buyer");
    renderConnected(storeOf(karim), <OwnRole />);
    await waitForResponses();
    expect(screen.getByText("buyer")).toBeVisible();
    await acceptSocket();
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-0" } }));
    onRole(karim.email, "seller");
    const user = { _id: "u1", version: 2, email: karim.email, accountType: "Seller" };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent("me", "user.changed", user)));
    await advance(300);
    await waitForResponses();
    expect(screen.getByText("seller")).toBeVisible();
  });

  it("makes an admin a moderator on the open screen", async () => {
    function OwnRole() {
      return <p>{`${useRole().role}, ${useIsModerator() ? "without" : "with"} orders`}</p>;
    }
    onRole(karim.email, "admin");
    renderConnected(storeOf(karim), <OwnRole />);
    await waitForResponses();
    expect(screen.getByText("admin, with orders")).toBeVisible();
    await acceptSocket();
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-0" } }));
    onRole(karim.email, "moderator");
    const user = { _id: "u1", version: 2, email: karim.email, accountType: "User" };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent("me", "user.changed", user)));
    await advance(300);
    await waitForResponses();
    expect(screen.getByText("admin, without orders")).toBeVisible();
  });

  it("sets the verified flag on the open screen", async () => {
    onRole(salma.email, "seller");
    renderConnected(storeOf(salma), <Verified />);
    await waitForResponses();
    expect(screen.getByText("not verified")).toBeVisible();
    await acceptSocket();
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-0" } }));
    await waitForResponses();
    const user = { _id: "u1", version: 2, email: salma.email, status: "verified" };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent("me", "seller.verified", user)));
    await advance(300);
    expect(screen.getByText("verified")).toBeVisible();
    const renamed = { ...user, version: 3, status: undefined };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent("me", "seller.verified", renamed)));
    await advance(300);
    expect(screen.getByText("not verified")).toBeVisible();
  });

  it("refetches the flag when it is confirmed, since the flag may have changed before", async () => {
    onRole(salma.email, "seller");
    renderConnected(storeOf(salma), <Verified />);
    await waitForResponses();
    onRole(salma.email, "seller", true);
    await acceptSocket();
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-4" } }));
    await waitForResponses();
    expect(screen.getByText("verified")).toBeVisible();
  });

  it("updates a single order by its events, from the position of its response on", async () => {
    const order = aBooking();
    const headers = { "Live-Position": "me=e1-4" };
    on("get", `/booking/${order._id}`, { body: { ...order, status: "held" }, headers });
    function Order() {
      return <p>{usePayableBooking(order._id).booking?.status}</p>;
    }
    renderConnected(storeOf(karim), <Order />);
    await waitForResponses();
    expect(screen.getByText("held")).toBeVisible();
    await acceptSocket();
    await advance(200);
    expect(FakeSocket.latest.subscribeFrames).toContainEqual({ me: "e1-4" });
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "e1-4" } }));
    const expired = { ...order, status: "expired", version: 2 };
    await onServer(() => FakeSocket.latest.receiveEvents(anEvent("me", "booking.changed", expired)));
    await advance(300);
    expect(screen.getByText("expired")).toBeVisible();
    expect(callsTo("GET", `/booking/${order._id}`)).toHaveLength(1);
  });

  it("refetches the watched phones when their brands are confirmed: their position is of another topic", async () => {
    const phone = aProduct({ name: "Nexus 5", resalePrice: 120 });
    onList("/watches", "me", [phone]);
    const watching = { _id: "w", version: 1, phones: [phone._id] };
    on("get", "/watching", { body: watching, headers: { "Live-Position": "me=1" } });
    renderConnected(
      storeOf(karim),
      <WatchedPhones isBrief card={({ resalePrice }) => <p>${resalePrice}</p>} />,
    );
    await waitForResponses();
    expect(screen.getByText("$120")).toBeVisible();
    onList("/watches", "me", [{ ...phone, version: 2, resalePrice: 99 }]);
    await acceptSocket();
    await advance(200);
    await onServer(() => FakeSocket.latest.receive({ subscribed: { me: "1", [`brand:${phone.id}`]: "7" } }));
    await waitForResponses();
    expect(screen.getByText("$99")).toBeVisible();
  });

  it.each(["account.removed", "4403"])(
    "logs out with a message when the account is deleted (%s)",
    async (signal) => {
      const { store } = await setUp();
      on("post", "/identity/sign-out", { status: 200 });
      await onServer(() => {
        if (signal === "4403") FakeSocket.latest.closeByServer(4403);
        else FakeSocket.latest.receiveEvents(anEvent("me", "account.removed", { _id: "u1", version: 9 }));
      });
      await advance(250);
      expect(store.getState().session).toMatchObject({
        accessToken: null,
        end: { by: "removed", reason: "Your account has been deleted." },
      });
    },
  );

  it.each([
    ["password changed", "You were signed out because the password of your account was changed."],
    ["signed out on another device", "You were signed out from another device."],
  ])("logs out with a message when the session was ended by another device (%s)", async (reason, message) => {
    const { store } = await setUp();
    on("post", "/identity/sign-out", errorResponse(401, "Please log in first"));
    await onServer(() => FakeSocket.latest.closeByServer(4401, reason));
    await advance(250);
    expect(store.getState().session).toMatchObject({
      accessToken: null,
      end: { by: "server", reason: message },
    });
    expect(callsTo("GET", "/jwt")).toHaveLength(0);
  });

  it("signs out without a message when the user has signed out in another tab", async () => {
    const { store } = await setUp();
    localStorage.removeItem("accessToken");
    localStorage.setItem("sessionEnd", JSON.stringify({ by: "person" }));
    await onServer(() => FakeSocket.latest.closeByServer(4401, "signed out"));
    await advance(250);
    expect(store.getState().session).toMatchObject({
      phase: "out",
      accessToken: null,
      end: { by: "person" },
    });
    expect(callsTo("GET", "/jwt")).toHaveLength(0);
  });
});
