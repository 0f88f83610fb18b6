import { expect, type Locator, type Page } from "@playwright/test";
import type { Person } from "../support/person";
import { Site } from "./Site";

/** /login */
export class LoginPage extends Site {
  readonly email: Locator;
  readonly password: Locator;
  readonly submit: Locator;
  readonly google: Locator;

  constructor(page: Page) {
    super(page);
    this.email = page.getByLabel("Email", { exact: true });
    this.password = page.getByLabel("Password", { exact: true });
    this.submit = page.getByRole("button", { name: "Login", exact: true });
    this.google = page.getByRole("link", { name: "Continue with Google" });
  }

  async open(): Promise<this> {
    await this.page.goto("/login");
    await this.waitUntilInteractive();
    return this;
  }

  async signIn({ email, password }: Pick<Person, "email" | "password">): Promise<void> {
    // The screen before this one may have a field with the same label.
    await expect(this.submit).toBeVisible();
    await this.email.fill(email);
    await this.password.fill(password);
    await this.submit.click();
  }

  /** Goes to Google's page, which has a field with the label of one here. */
  async openGoogle(): Promise<void> {
    await this.google.click();
    await expect(this.page.getByRole("heading", { name: "Choose an account" })).toBeVisible();
  }
}
