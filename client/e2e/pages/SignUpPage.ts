import type { Locator, Page } from "@playwright/test";
import { Site } from "./Site";

/** What the form asks for. */
export interface NewPerson {
  name: string;
  email: string;
  password: string;
  accountType: "User" | "Seller";
}

/** /signUp */
export class SignUpPage extends Site {
  readonly name: Locator;
  readonly email: Locator;
  readonly password: Locator;
  readonly accountTypes: Locator;
  readonly submit: Locator;
  readonly google: Locator;

  constructor(page: Page) {
    super(page);
    this.name = page.getByLabel("Name", { exact: true });
    this.email = page.getByLabel("Email", { exact: true });
    this.password = page.getByLabel("Password", { exact: true });
    this.accountTypes = page.getByRole("group", { name: "Account type" }).getByRole("radio");
    this.submit = page.getByRole("button", { name: "Sign Up", exact: true });
    this.google = page.getByRole("link", { name: "Continue with Google" });
  }

  async open(): Promise<this> {
    await this.page.goto("/signUp");
    await this.waitUntilInteractive();
    return this;
  }

  /** The card of an account type. */
  ofType(accountType: NewPerson["accountType"]): Locator {
    return this.page.getByRole("radio", { name: new RegExp(`^${accountType}: `) });
  }

  async signUp({ name, email, password, accountType }: NewPerson): Promise<void> {
    await this.name.fill(name);
    await this.email.fill(email);
    await this.password.fill(password);
    await this.ofType(accountType).check();
    await this.submit.click();
  }
}
