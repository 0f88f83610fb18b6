import { expect, type Locator, type Page } from "@playwright/test";
import { Site } from "./Site";

/** /dashboard/messages: the conversations and the open one. */
export class MessagesPage extends Site {
  readonly list: Locator;
  readonly lines: Locator;
  readonly field: Locator;
  readonly send: Locator;
  /** In the bar. */
  readonly bell: Locator;

  constructor(page: Page) {
    super(page);
    this.list = page.getByRole("list", { name: "Conversations" });
    this.lines = page.getByRole("log", { name: "Messages" });
    this.field = page.getByRole("textbox", { name: "Your message" });
    this.send = page.getByRole("button", { name: "Send", exact: true });
    this.bell = page.getByRole("link", { name: /^Messages(,|$)/ }).first();
  }

  async open(id = ""): Promise<this> {
    await this.page.goto(`/dashboard/messages${id && `/${id}`}`);
    return this;
  }

  /** Opens the form of the first message about a phone. */
  async ask(phone: { _id: string }): Promise<this> {
    await this.page.goto(`/phone/${phone._id}`);
    await this.page.getByRole("link", { name: "Ask the seller" }).first().click();
    await expect(this.field).toBeVisible();
    return this;
  }

  /** Sends a message by Enter. */
  async say(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press("Enter");
  }

  line(text: string): Locator {
    return this.lines.getByRole("listitem").filter({ hasText: text });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }
}
