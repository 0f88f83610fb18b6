import { expect, it } from "vitest";
import { on, startServer } from "@/testing/server";
import { storeOf } from "@/testing/serverScreen";
import { selectEndReason, sessionEnded, TOKEN_KEY, tokenReceived } from "./sessionSlice";

startServer();

it("the token is stored in local storage as accessToken", () => {
  const store = storeOf(null);
  store.dispatch(tokenReceived("one"));
  expect(TOKEN_KEY).toBe("accessToken");
  expect(localStorage.getItem("accessToken")).toBe("one");
  expect(storeOf(null).getState().session.accessToken).toBe("one");
});

it("logging out removes the token, and keeps the reason until the next sign-in", () => {
  on("post", "/identity/sign-out", { status: 200 });
  const store = storeOf(null);
  store.dispatch(tokenReceived("one"));
  store.dispatch(sessionEnded({ by: "server", reason: "Your account has been deleted." }));
  expect(localStorage.getItem("accessToken")).toBeNull();
  expect(selectEndReason(store.getState())).toBe("Your account has been deleted.");
  store.dispatch(tokenReceived("two"));
  expect(selectEndReason(store.getState())).toBeNull();
});
