import { act, screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { useConfigQuery } from "@/api/config";
import { sessionEnded } from "@/api/sessionSlice";
import { config, karim } from "@/testing/factories";
import { callsTo, on, onConfig, startServer } from "@/testing/server";
import { renderScreen } from "@/testing/serverScreen";

startServer();

/** Embeds the settings in the page, as the server does. */
function embedConfig(settings: typeof config) {
  const script = Object.assign(document.createElement("script"), { id: "config", type: "application/json" });
  script.textContent = JSON.stringify(settings).replaceAll("<", "\\u003c");
  document.head.append(script);
}

/** The rendered values, oldest first. */
let renderedValues: string[];

function Settings() {
  const { data, isLoading } = useConfigQuery();
  const value = isLoading ? "loading" : (data?.contact.location ?? "none");
  renderedValues.push(value);
  return <p>{value}</p>;
}

beforeEach(() => {
  renderedValues = [];
});

test("the settings of the page are used at the first render, without a request", async () => {
  embedConfig({ ...config, contact: { ...config.contact, location: "</script> & Sylhet" } });
  renderScreen(<Settings />);
  expect(await screen.findByText("</script> & Sylhet")).toBeVisible();
  expect(new Set(renderedValues)).toEqual(new Set(["</script> & Sylhet"]));
  expect(callsTo("GET", "/config")).toEqual([]);
});

test("the settings of the page are used again after signing out, which clears the cache", async () => {
  embedConfig(config);
  on("post", "/identity/sign-out", {});
  const { store } = renderScreen(<Settings />, { me: karim });
  await act(
    async () => void store.dispatch(sessionEnded({ by: "server", reason: "Your session has ended." })),
  );
  expect(screen.getByText(config.contact.location)).toBeVisible();
  expect(new Set(renderedValues)).toEqual(new Set([config.contact.location]));
  expect(callsTo("GET", "/config")).toEqual([]);
});

test("the settings are fetched once if the page has none", async () => {
  onConfig();
  renderScreen(
    <>
      <Settings />
      <Settings />
    </>,
  );
  expect(await screen.findAllByText(config.contact.location)).toHaveLength(2);
  expect(renderedValues[0]).toBe("loading");
  expect(callsTo("GET", "/config")).toHaveLength(1);
});
