import type { PaymentIntentResult, StripeCardElementChangeEvent, StripeError } from "@stripe/stripe-js";
import { beforeEach, vi } from "vitest";

type Handler = (event?: unknown) => void;

/** A fake card element without inputs; the test triggers its events. */
class FakeCard {
  private readonly handlers = new Map<string, Set<Handler>>();
  readonly options: Record<string, unknown> = {};

  mount(): void {
    queueMicrotask(() => this.emit("ready"));
  }
  on(event: string, handler: Handler): void {
    this.handlers.set(event, (this.handlers.get(event) ?? new Set()).add(handler));
  }
  off(event: string, handler: Handler): void {
    this.handlers.get(event)?.delete(handler);
  }
  update(options: object): void {
    Object.assign(this.options, options);
  }
  destroy(): void {
    stripe.card = null;
  }
  emit(event: string, detail?: unknown): void {
    for (const handler of this.handlers.get(event) ?? []) handler(detail);
  }
  /** The card field reports an error of its input. */
  reportError(message: string | null): void {
    const error =
      message === null ? undefined : { type: "validation_error", code: "invalid_number", message };
    this.emit("change", { elementType: "card", error } as StripeCardElementChangeEvent);
  }
}

/** A payment intent in the form of Stripe's response. */
export function anIntent(status: string, errorMessage?: string): PaymentIntentResult {
  const last_payment_error = errorMessage ? { message: errorMessage } : null;
  return { paymentIntent: { id: "pi_1", status, last_payment_error } } as unknown as PaymentIntentResult;
}

/** An error in the form of Stripe.js; with a status, it contains the intent. */
export function aStripeError(overrides: Partial<StripeError>, status?: string): PaymentIntentResult {
  const { paymentIntent } = anIntent(status ?? "");
  return {
    error: {
      type: "card_error",
      ...overrides,
      ...(status && { payment_intent: paymentIntent }),
    } as StripeError,
  };
}

/** The fake card provider of the running test. */
export const stripe = {
  /** The element on screen. */
  card: null as FakeCard | null,
  /** Whether the card field exists. */
  hasCard: true,
  retrievePaymentIntent: vi.fn<(secret: string) => Promise<PaymentIntentResult>>(),
  confirmCardPayment: vi.fn<(secret: string, data: unknown) => Promise<PaymentIntentResult>>(),
};

function elements() {
  return {
    create: () => {
      stripe.card = new FakeCard();
      return stripe.card;
    },
    getElement: () => (stripe.hasCard ? stripe.card : null),
    update: () => undefined,
  };
}

/** Stripe's constructor; always the same function, since the libraries store the first one. */
const Stripe = Object.assign(
  () => ({
    elements,
    createToken: vi.fn(),
    createPaymentMethod: vi.fn(),
    retrievePaymentIntent: (secret: string) => stripe.retrievePaymentIntent(secret),
    confirmCardPayment: (secret: string, data: unknown) => stripe.confirmCardPayment(secret, data),
  }),
  { version: "endive" },
);

/** Replaces Stripe.js for a test file. The intent is unpaid, and a confirmation pays it. */
export function startStripe(): void {
  beforeEach(() => {
    Object.assign(window, { Stripe });
    stripe.card = null;
    stripe.hasCard = true;
    stripe.retrievePaymentIntent.mockReset().mockResolvedValue(anIntent("requires_payment_method"));
    stripe.confirmCardPayment.mockReset().mockResolvedValue(anIntent("succeeded"));
  });
}
