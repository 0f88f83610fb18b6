import { expect, test } from "vitest";
import { bookings } from "@/api/bookings";
import { tokenReceived } from "@/api/session";
import { aToken, onSession } from "@/testing/app";
import { karim } from "@/testing/factories";
import { callsTo, on, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";

startServer();

const askForOrders = (store: ReturnType<typeof storeOf>) =>
  store.dispatch(bookings.initiate({ email: karim.email }));

test("a list that is fetched on waking waits for a new token if the old one expired during sleep", async () => {
  onSession(karim);
  on("get", "/bookings", { body: [] });
  const store = storeOf(karim);
  const ended = aToken(-10);
  store.dispatch(tokenReceived(ended));
  await Promise.all([askForOrders(store), askForOrders(store)]);
  const { accessToken } = store.getState().session;
  expect(accessToken).not.toBe(ended);
  expect(callsTo("GET", "/jwt")).toHaveLength(1);
  for (const { authorization } of callsTo("GET", "/bookings")) {
    expect(authorization).toBe(`Bearer ${accessToken}`);
  }
  expect(store.getState().auth.phase).toBe("in");
});

test("a valid token is sent unchanged", async () => {
  onSession(karim);
  on("get", "/bookings", { body: [] });
  const store = storeOf(karim);
  store.dispatch(tokenReceived(aToken(30)));
  await askForOrders(store);
  expect(callsTo("GET", "/jwt")).toHaveLength(0);
});
