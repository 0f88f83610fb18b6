import { expect, test } from "vitest";
import { ownBookings } from "@/api/bookings";
import { tokenReceived } from "@/api/sessionSlice";
import { aToken, onSession } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, on, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";

startServer();

const fetchOrders = (store: ReturnType<typeof storeOf>) =>
  store.dispatch(ownBookings.initiate({ email: karim.email }));

test("a query waits for a new token if the old one expired while the computer slept", async () => {
  onSession(karim);
  on("get", "/bookings", { body: [] });
  const store = storeOf(karim);
  const expired = aToken(-10);
  store.dispatch(tokenReceived(expired));
  await Promise.all([fetchOrders(store), fetchOrders(store)]);
  const { accessToken } = store.getState().session;
  expect(accessToken).not.toBe(expired);
  expect(callsTo("GET", "/jwt")).toHaveLength(1);
  for (const { authorization } of callsTo("GET", "/bookings")) {
    expect(authorization).toBe(`Bearer ${accessToken}`);
  }
  expect(store.getState().session.phase).toBe("in");
});

test("a valid token is sent unchanged", async () => {
  onSession(karim);
  on("get", "/bookings", { body: [] });
  const store = storeOf(karim);
  store.dispatch(tokenReceived(aToken(30)));
  await fetchOrders(store);
  expect(callsTo("GET", "/jwt")).toHaveLength(0);
});
