import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { useConfigQuery } from "@/api/config";
import { loggedOut } from "@/api/session";
import { config, karim } from "@/testing/factories";
import { callsTo, on, onConfig, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";

startServer();

/** What the server would write into its page. */
function pageBrings(settings: typeof config) {
  const block = Object.assign(document.createElement("script"), { id: "config", type: "application/json" });
  block.textContent = JSON.stringify(settings).replaceAll("<", "\\u003c");
  document.head.append(block);
}

/** Every state of the settings that was drawn, oldest first. */
let drawn: string[];

function Settings() {
  const { data, isLoading } = useConfigQuery();
  const shown = isLoading ? "asking" : (data?.contact.location ?? "none");
  drawn.push(shown);
  return <p>{shown}</p>;
}

beforeEach(() => {
  drawn = [];
});
afterEach(() => document.getElementById("config")?.remove());

test("the settings of the page are there at the first render, without a call", async () => {
  pageBrings({ ...config, contact: { ...config.contact, location: "</script> & Sylhet" } });
  renderScreen(<Settings />);
  expect(await screen.findByText("</script> & Sylhet")).toBeVisible();
  expect(new Set(drawn)).toEqual(new Set(["</script> & Sylhet"]));
  expect(callsTo("GET", "/config")).toEqual([]);
});

test("they are there after signing out, which empties the cache", async () => {
  pageBrings(config);
  on("post", "/identity/sign-out", {});
  const { store } = renderScreen(<Settings />, { me: karim });
  await act(async () => void store.dispatch(loggedOut("The session is over")));
  expect(screen.getByText(config.contact.location)).toBeVisible();
  expect(new Set(drawn)).toEqual(new Set([config.contact.location]));
  expect(callsTo("GET", "/config")).toEqual([]);
});

test("without settings in the page they are fetched once", async () => {
  onConfig();
  renderScreen(
    <>
      <Settings />
      <Settings />
    </>,
  );
  expect(await screen.findAllByText(config.contact.location)).toHaveLength(2);
  expect(drawn[0]).toBe("asking");
  expect(callsTo("GET", "/config")).toHaveLength(1);
});
