import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import { aSandboxIntent, KEY, loadStyles, runScriptFrom, startSandbox } from "@/testing/sandbox";
import { server, startServer } from "@/testing/server";

startServer();
startSandbox();

/** The page of these tests is at location.origin; a neighbour's page loads the script from the server. */
it.each([
  ["https://phones.example/sandbox/stripe/v3.js", "https://phones.example/sandbox/stripe/"],
  ["http://127.0.0.1:8080/sandbox/stripe/v3.js?v=2", "http://127.0.0.1:8080/sandbox/stripe/"],
  ["https://shop.example/api/sandbox/stripe/v3.js", "https://shop.example/api/sandbox/stripe/"],
  ["http://phones.test:81/sandbox/stripe/v3.js#a", "http://phones.test:81/sandbox/stripe/"],
  [`${location.origin}/sandbox/stripe/v3.js`, `${location.origin}/sandbox/stripe/`],
  ["", `${location.origin}/sandbox/stripe/`],
])("the script of %s calls the server from which it came", async (src, base) => {
  const called: string[] = [];
  server.use(
    http.get("*/v1/payment_intents/pi_1", ({ request }) => {
      called.push(request.url);
      return HttpResponse.json(aSandboxIntent("succeeded"));
    }),
  );
  runScriptFrom(src);
  const stripe = window.Stripe?.(KEY);
  stripe?.elements().create("card");
  loadStyles();
  expect(await stripe?.retrievePaymentIntent("pi_1_secret_2")).toMatchObject({
    paymentIntent: { id: "pi_1" },
  });
  expect(called).toEqual([`${base}v1/payment_intents/pi_1?client_secret=pi_1_secret_2`]);
  const styles = document.querySelector<HTMLLinkElement>('link[href$="v3.css"]');
  expect(styles?.href ?? `${base}v3.css`).toBe(`${base}v3.css`);
});
