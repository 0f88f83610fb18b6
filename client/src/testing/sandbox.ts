import type {
  PaymentIntent,
  Stripe,
  StripeCardElement,
  StripeCardElementChangeEvent,
} from "@stripe/stripe-js";
import { afterEach, beforeEach } from "vitest";
// biome-ignore lint/style/noRestrictedImports: the script belongs to the server and is in its directory
import source from "../../../sandbox/stripe/script/stripe.js?raw";

/** The objects of the sandbox's script. */
interface Sandbox {
  stripe: Stripe;
  card: StripeCardElement;
  /** The card's change events, oldest first. */
  changes: StripeCardElementChangeEvent[];
}

/** The publishable key of these tests. */
export const KEY = "pk_test_sandbox";

/** Dispatches the load event of the style sheet; jsdom does not load it. */
export function loadStyles(): void {
  document.querySelector('link[href$="/sandbox/stripe/v3.css"]')?.dispatchEvent(new Event("load"));
}

/** Runs the sandbox's script, as a browser does that has loaded it from an address. */
export function runScriptFrom(src: string): void {
  const script = document.createElement("script");
  if (src) script.src = src;
  Object.defineProperty(document, "currentScript", { value: script, configurable: true });
  new Function(source)();
  Reflect.deleteProperty(document, "currentScript");
}

/** Runs the sandbox's script before each test of a file. Adds modal dialogs, which jsdom does not have. */
export function startSandbox(): void {
  beforeEach(() => {
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true;
      },
      close(this: HTMLDialogElement) {
        this.open = false;
      },
    });
    new Function(source)();
  });
  afterEach(() => {
    document.body.replaceChildren();
    document.head.replaceChildren();
  });
}

/** Mounts the card field in the document. */
export function renderCardField(): Sandbox {
  const { Stripe } = window as unknown as { Stripe: (key: string) => Stripe };
  const stripe = Stripe(KEY);
  const card = stripe.elements().create("card");
  const changes: StripeCardElementChangeEvent[] = [];
  card.on("change", (change) => changes.push(change));
  const container = document.createElement("div");
  document.body.append(container);
  card.mount(container);
  loadStyles();
  return { stripe, card, changes };
}

/** A payment intent in the form of the sandbox's response. */
export function aSandboxIntent(status: string, overrides: Partial<PaymentIntent> = {}) {
  return { id: "pi_1", amount: 12000, currency: "usd", status, last_payment_error: null, ...overrides };
}
