import { expect, type Locator, type Page } from "@playwright/test";
import { Dashboard } from "./Dashboard";

/** Stripe's test cards, as people type them. */
export const cards = {
  success: "4242 4242 4242 4242",
  mastercard: "5555 5555 5555 4444",
  amex: "3782 822463 10005",
  discover: "6011 1111 1111 1117",
  declined: "4000 0000 0000 0002",
  insufficientFunds: "4000 0000 0000 9995",
  processingError: "4000 0000 0000 0119",
  expired: "4000 0000 0000 0069",
  wrongCvc: "4000 0000 0000 0127",
  incorrectNumber: "4242 4242 4242 4241",
  threeDSecure: "4000 0027 6000 3184",
  threeDSecureDeclined: "4000 0084 0000 1629",
  disputed: "4000 0000 0000 0259",
};

/** /dashboard/payment/{id} */
export class PaymentPage extends Dashboard {
  readonly form: Locator;
  /** The card field's inputs. */
  readonly number: Locator;
  readonly expiry: Locator;
  readonly cvc: Locator;
  readonly postal: Locator;
  readonly pay: Locator;
  /** The error message under the card field. */
  readonly error: Locator;
  /** The dialog of 3-D Secure. */
  readonly bank: Locator;
  readonly transactionId: Locator;

  constructor(page: Page) {
    super(page);
    this.form = page.getByRole("form", { name: "Card payment" });
    this.number = page.locator("[name=cardnumber]");
    this.expiry = page.locator("[name=exp-date]");
    this.cvc = page.locator("[name=cvc]");
    this.postal = page.locator("[name=postal]");
    this.pay = page.getByRole("button", { name: "Pay", exact: true });
    this.error = this.form.getByRole("alert");
    this.bank = page.getByRole("dialog", { name: "3-D Secure authentication" });
    this.transactionId = page.getByText(/^Transaction id: pi_\w+$/);
  }

  override async open(order: string): Promise<this> {
    return super.open(`payment/${order}`);
  }

  /** Fills the card field, until Pay may be pressed. */
  async fill(card: keyof typeof cards): Promise<void> {
    await this.number.fill(cards[card]);
    await this.expiry.fill("12 / 34");
    await this.cvc.fill(card === "amex" ? "1234" : "123");
    await this.postal.fill("12345");
    await expect(this.pay).toBeEnabled();
  }

  async payWith(card: keyof typeof cards): Promise<void> {
    await this.fill(card);
    await this.pay.click();
  }

  /** Completes or fails the dialog of 3-D Secure. */
  async answerAuthentication(button: "Complete authentication" | "Fail authentication"): Promise<void> {
    await this.bank.getByRole("button", { name: button, exact: true }).click();
  }

  /** Waits for the success screen. Returns the payment intent's ID. */
  async expectPaid(): Promise<string> {
    await expect(this.heading("Your payment is complete")).toBeVisible();
    await expect(this.pay).toBeHidden();
    const text = await this.transactionId.innerText();
    return text.split(" ").at(-1) as string;
  }

  /** Waits until the last attempt has failed with this message and Pay is enabled again. */
  async expectRefused(message: string): Promise<void> {
    await expect(this.error).toHaveText(message);
    await expect(this.pay).toBeEnabled();
  }
}
