import { devices, type Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard, LoginPage, SignUpPage, Site } from "../pages";
import type { EmailServer } from "../support/emailServer";
import type { Market } from "../support/market";
import type { Node } from "../support/node";
import { type Brand, emailOf, type Person, type Phone } from "../support/person";
import { violations } from "../support/screenChecks";

const FIRST_PASSWORD = "kettle brook 41";
const NEW_PASSWORD = "lantern quay 58";
const subject = {
  confirm: "Confirm your email address for SecondRing",
  reset: "Reset your SecondRing password",
  passwordChanged: "Your SecondRing password was changed",
  newEmail: "Confirm your new email address for SecondRing",
  emailChanged: "The email address of your SecondRing account was changed",
};
/** How long the SMTP server is stopped, milliseconds. */
const OUTAGE_MS = 20_000;
/** When the node is killed during the outage, milliseconds. An email requested shortly before is retried soon. */
const KILL_MS = 12_000;

/** A user with two browsers. With two nodes, each browser uses another node. */
interface Session {
  market: Market;
  emailServer: EmailServer;
  email: string;
  /** Uses the first node, which is killed. */
  page: Page;
  /** Another device; uses the last node. */
  other: Page;
}

/** Confirms a seller's email and lists a phone. */
async function listPhone(seller: Person, emailServer: EmailServer, brand: Brand): Promise<Phone> {
  const link = await emailServer.link(seller.email, subject.confirm);
  const response = await seller.call("post", "/identity/verify", { token: link.replace(/.*#token=/, "") });
  expect(response.status()).toBe(204);
  return seller.list("Galaxy", brand);
}

async function book(page: Page, phone: Phone, brand: Brand): Promise<void> {
  const category = await new CategoryPage(page).open(brand);
  await (await category.card(phone.name).book()).book("+880 1234-777888");
}

async function savePassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Save password" }).click();
}

/** Logs in, and opens a screen that shows when the session ends. */
async function logIn(page: Page, email: string, password: string): Promise<void> {
  const login = new LoginPage(page);
  await login.signIn({ email, password });
  await expect(login.signOut).toBeVisible();
  await new Dashboard(page).open("myOrders");
  await expect(login.heading("My Orders")).toBeVisible();
}

/** Expects that the page was signed out and shows the reason. */
async function expectSignedOut(page: Page, reason: string): Promise<void> {
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(reason)).toBeVisible();
}

/**
 * While the SMTP server is stopped: logs in on a new device, signs it out from the first browser, and requests two
 * links.
 */
async function requestEmails(session: Session, phone: Phone, brand: Brand): Promise<void> {
  const { emailServer, market, email, page, other } = session;
  await emailServer.stop();
  const stopped = Date.now();
  const waitUntil = (time: number) =>
    expect.poll(() => Date.now() - stopped, { timeout: OUTAGE_MS }).toBeGreaterThan(time);

  await new LoginPage(other).open();
  await logIn(other, email, FIRST_PASSWORD);
  await new Dashboard(page).open("account");
  await expect(page.getByText("Email not confirmed")).toBeVisible();
  await expect(page.getByText("This device")).toBeVisible();
  await page.getByRole("button", { name: "Change password" }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign out Safari on iOS" }).click();
  await expect(page.getByText("You are not signed in anywhere else.")).toBeVisible();
  await expectSignedOut(other, "You were signed out from another device.");

  const login = await new LoginPage(other).open();
  await login.email.fill(email);
  await other.getByRole("link", { name: "Forgot password?" }).click();
  await expect(login.heading("Forgot your password?")).toBeVisible();
  await expect(login.email).toHaveValue(email);
  await other.getByRole("button", { name: "Send link" }).click();
  await expect(other.getByText(/^If there is an account with this email/)).toBeVisible();

  await book(page, phone, brand);
  const sendLink = page.getByRole("button", { name: "Send the link again" });
  await expect(sendLink).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await waitUntil(KILL_MS);
  await sendLink.click();
  await expect(page.getByText(`Please check your inbox at ${email}.`, { exact: false })).toBeVisible();
  await other.getByRole("button", { name: "Send again" }).click();
  await expect(
    new Site(other).toast("Please check your inbox again. Only the newest link works."),
  ).toBeVisible();
  const [node] = market.nodes;
  await node.stop("SIGKILL");
  if (market.nodes.length === 1) await node.start();
  await waitUntil(OUTAGE_MS);
  await emailServer.start();
}

/** Confirms the email in one browser, and chooses a new password in the other. */
async function recover(
  { emailServer, email, page, other }: Session,
  phone: Phone,
  brand: Brand,
): Promise<void> {
  await page.goto(await emailServer.link(email, subject.confirm, 2));
  await page.getByRole("button", { name: "Confirm your address" }).click();
  await expect(page.getByText("Your email address is confirmed.")).toBeVisible();
  await page.getByRole("link", { name: "Continue shopping" }).click();
  await book(page, phone, brand);
  await expect(new Site(page).toast("Booking Confirmed")).toBeVisible();

  const reset = await emailServer.link(email, subject.reset);
  await other.goto(reset);
  await savePassword(other, "123456");
  await expect(other.getByText(/one of the most common/)).toBeVisible();
  await expect(other).toHaveURL(/\/reset$/);
  await other.reload();
  await savePassword(other, NEW_PASSWORD);
  await expectSignedOut(other, "Your password has been changed. Please log in.");
  await expectSignedOut(page, "You were signed out because the password of your account was changed.");

  await logIn(other, email, NEW_PASSWORD);
  await page.goto(reset);
  await expect(page.getByText("This link has been used or has expired.")).toBeVisible();
  await page.getByRole("link", { name: "Send a new link" }).click();
  await page.getByRole("link", { name: "login", exact: true }).click();
  await logIn(page, email, NEW_PASSWORD);
}

/** Changes the email in one browser, which signs the other one out. */
async function changeEmail({ emailServer, email, page, other }: Session, newEmail: string): Promise<void> {
  await new Dashboard(page).open("account");
  await expect(page.getByText("Email not confirmed")).toBeHidden();
  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByLabel("New email").fill(newEmail);
  await page.getByLabel("Current password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText(`We've sent a link to ${newEmail}.`, { exact: false })).toBeVisible();
  await page.goto(await emailServer.link(newEmail, subject.newEmail));
  await page.getByRole("button", { name: "Confirm your address" }).click();
  await expect(page.getByText(/^Your account now uses this email address/)).toBeVisible();
  await expect(new Site(page).signOut).toBeVisible();
  await expectSignedOut(other, "You were signed out because the email of your account was changed.");
  await new LoginPage(other).signIn({ email, password: NEW_PASSWORD });
  await expect(other.getByText("Wrong email or password")).toBeVisible();
  await logIn(other, newEmail, NEW_PASSWORD);
}

test("a buyer recovers an account by email during an outage of the SMTP server and after the kill of a node", {
  tag: "@nodes",
}, async ({ emailServer, ownMarket, unique, visit, problems }) => {
  problems.expect(/status of (40[13]|410|422|503) /, /ERR_|WebSocket/);
  const { market, brand, people } = await ownMarket({ ...emailServer.settings(), VERIFY_EMAIL: "on" });
  const seller = await people.seller();
  const phone = await listPhone(seller, emailServer, brand);
  const name = unique("Nadia");
  const email = emailOf(name);
  const newEmail = email.replace("@", ".new@");
  const [first] = market.nodes;
  const last = market.nodes.at(-1) as Node;
  const page = await visit(null, { baseURL: first.url });
  const other = await visit(null, { baseURL: last.url, userAgent: devices["iPhone 15"].userAgent });
  const session = { market, emailServer, email, page, other };

  const signUp = await new SignUpPage(page).open();
  await signUp.signUp({ name, email, password: FIRST_PASSWORD, accountType: "User" });
  await expect(signUp.signOut).toBeVisible();
  await emailServer.link(email, subject.confirm);
  await requestEmails(session, phone, brand);

  // With two nodes, the other one sends the emails of the killed one.
  await emailServer.link(email, subject.reset);
  await emailServer.link(email, subject.confirm, 2);
  if (first !== last) await first.start();
  await expect(signUp.connectionBanner).toBeHidden();
  await recover(session, phone, brand);
  await changeEmail(session, newEmail);

  // No email is about the new device, because the address was not confirmed yet.
  const { confirm, reset, passwordChanged, emailChanged } = subject;
  const sent = [confirm, confirm, reset, passwordChanged, emailChanged].sort();
  await expect.poll(() => emailServer.subjects(email), { timeout: 180_000 }).toEqual(sent);
  expect(emailServer.subjects(newEmail)).toEqual([subject.newEmail]);
  expect(emailServer.subjects(seller.email)).toEqual([confirm]);
});
