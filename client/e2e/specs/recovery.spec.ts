import { createHmac } from "node:crypto";
import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard, LoginPage, SignUpPage, Site } from "../pages";
import type { Market } from "../support/market";
import { violations } from "../support/screenChecks";

const NEW_PASSWORD = "kettle brook 41";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 " +
  "Mobile/15E148 Safari/604.1";

/** The link in the newest email to an address that has one with this path. */
async function linkTo(market: Market, email: string, path: "/reset" | "/verify"): Promise<string> {
  let link = "";
  await expect
    .poll(async () => {
      const response = await fetch(`${market.url}/sandbox/mail?to=${encodeURIComponent(email)}`);
      const texts = ((await response.json()) as { text: string }[]).map(({ text }) => text);
      const links = texts.flatMap((text) => text.match(/https?:\S+#token=\S+/) ?? []);
      link = links.find((one) => new URL(one).pathname === path) ?? "";
      return link;
    })
    .not.toBe("");
  return link;
}

/** The code of an authenticator app for a secret, by RFC 6238; `steps` of 30 seconds from now. */
function appCode(secret: string, steps = 0): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac("sha1", key).update(step).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

test("a forgotten password is replaced by the link in an email, and other windows are signed out and say why", async ({
  market,
  people,
  visit,
  problems,
}) => {
  problems.expect(/status of 401 .*\/identity\/(sign-out|me)$/, /status of (410|422) .*\/identity\/reset$/);
  const person = await people.buyer();
  const other = await visit(person);
  await new Dashboard(other).open("myOrders");
  await expect(new Site(other).signOut).toBeVisible();

  const page = await visit();
  const login = await new LoginPage(page).open();
  await login.email.fill(person.email);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(login.heading("Forgot your password?")).toBeVisible();
  await expect(login.email).toHaveValue(person.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText(/^If there is an account with this email/)).toBeVisible();
  await expect(page.getByRole("link", { name: "the email is shown here" })).toBeVisible();

  const link = await linkTo(market, person.email, "/reset");
  await page.goto(link);
  const field = page.getByLabel("New password");
  await field.fill("123456");
  await expect(page).toHaveURL(/\/reset$/);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByText(/one of the most common/)).toBeVisible();
  await page.reload();
  await field.fill(NEW_PASSWORD);
  await expect(page.getByText("Strong password")).toBeVisible();
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText("Your password has been changed. Please log in.")).toBeVisible();

  await expect(other).toHaveURL(/\/login$/);
  await expect(
    other.getByText("You were signed out because the password of your account was changed."),
  ).toBeVisible();

  await login.signIn({ email: person.email, password: NEW_PASSWORD });
  await expect(login.signOut).toBeVisible();

  await page.goto(link);
  await field.fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByText("This link has been used or has expired.")).toBeVisible();
  await page.getByRole("link", { name: "Send a new link" }).click();
  await expect(login.heading("Forgot your password?")).toBeVisible();
});

test("a new buyer confirms the email before the first booking, and signs another browser out", async ({
  ownMarket,
  unique,
  visit,
  problems,
}) => {
  problems.expect(/status of 40[13] /);
  const { market, brand } = await ownMarket({ DEMO: "1", VERIFY_EMAIL: "on" });
  const name = unique("Nadia");
  const email = `${name.toLowerCase().replace(/\W+/g, ".")}@example.com`;
  const person = { name, email, password: NEW_PASSWORD };

  const page = await visit(null, { baseURL: market.url });
  const signUp = await new SignUpPage(page).open();
  await signUp.signUp({ ...person, accountType: "User" });
  await expect(signUp.signOut).toBeVisible();

  const category = await new CategoryPage(page).open(brand);
  const bookNow = page.getByRole("button", { name: "Book Now", exact: true }).first();
  const book = async () => {
    await bookNow.click();
    await page.getByLabel("Phone", { exact: true }).fill("01711 000000");
    await page.getByRole("button", { name: "Confirm booking" }).click();
  };
  await book();
  await page.getByRole("button", { name: "Send the link again" }).click();
  await expect(page.getByText(`Please check your inbox at ${email}.`, { exact: false })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Close" }).click();

  const account = new Dashboard(page);
  await account.open("account");
  await expect(page.getByText("Email not confirmed")).toBeVisible();
  await page.goto(await linkTo(market, email, "/verify"));
  await expect(page.getByText("Your email address is confirmed.")).toBeVisible();
  await page.getByRole("link", { name: "Continue shopping" }).click();
  await category.open(brand);
  await book();
  await expect(category.toast("Booking Confirmed")).toBeVisible();

  const phone = await visit(null, { baseURL: market.url, userAgent: IPHONE });
  const login = await new LoginPage(phone).open();
  await login.signIn(person);
  await expect(login.signOut).toBeVisible();
  await new Dashboard(phone).open("myOrders");
  await expect(login.heading("My Orders")).toBeVisible();

  await account.open("account");
  await expect(page.getByText("Email not confirmed")).toBeHidden();
  await expect(page.getByText("This device")).toBeVisible();
  await page.getByRole("button", { name: "Change password" }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign out Safari on iOS" }).click();
  await expect(page.getByText("You are not signed in anywhere else.")).toBeVisible();
  await expect(phone).toHaveURL(/\/login$/);
  await expect(phone.getByText("You were signed out from another device.")).toBeVisible();
});

test("an email is changed by a link to the new address, and back by a link to the old one", async ({
  market,
  people,
  visit,
  problems,
}) => {
  problems.expect(/status of 401 /);
  const person = await people.buyer();
  // A browser with a session of its own.
  const other = await visit();
  await (await new LoginPage(other).open()).signIn(person);
  await expect(new Site(other).signOut).toBeVisible();
  await new Dashboard(other).open("myOrders");
  const page = await visit(person);
  await new Dashboard(page).open("account");
  const newEmail = person.email.replace("@", ".new@");
  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByLabel("New email").fill(newEmail);
  await page.getByLabel("Current password").fill(person.password);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText(`We've sent a link to ${newEmail}.`, { exact: false })).toBeVisible();

  await page.goto(await linkTo(market, newEmail, "/verify"));
  await expect(page.getByText(/^Your account now uses this email address/)).toBeVisible();
  await expect(other).toHaveURL(/\/login$/);
  await expect(
    other.getByText("You were signed out because the email of your account was changed."),
  ).toBeVisible();
  await new LoginPage(other).signIn({ email: newEmail, password: person.password });
  await expect(new Site(other).signOut).toBeVisible();

  await page.goto(await linkTo(market, person.email, "/verify"));
  await page.getByRole("button", { name: "Change it back" }).click();
  await expect(page.getByText(/^Your account uses this email address again/)).toBeVisible();
  await expect(new Site(other).signOut).toBeHidden();
  await page.goto(await linkTo(market, person.email, "/reset"));
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page).toHaveURL(/\/login$/);
  const login = new LoginPage(page);
  await login.signIn({ email: person.email, password: NEW_PASSWORD });
  await expect(login.signOut).toBeVisible();
});

test("a login takes a code of the app once two-step login is on, or a recovery code", async ({
  people,
  visit,
  problems,
}) => {
  problems.expect(/status of 401 .*\/identity\/(sign-in|me)$/, /status of 422 .*\/second-factor$/);
  const person = await people.buyer();
  const page = await visit(person);
  await new Dashboard(page).open("account");
  await page.getByRole("button", { name: "Set up two-step login" }).click();
  await page.getByLabel("Current password").fill(person.password);
  await page.getByRole("button", { name: "Continue" }).click();
  const secret = await page.locator("code").innerText();
  await page.getByLabel("Code", { exact: true }).fill(appCode(secret));
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Switch on" }).click();
  const recovery = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(recovery).toHaveCount(10);
  const recoveryCode = await recovery.first().innerText();
  await page.getByRole("button", { name: "I have kept them" }).click();
  await expect(page.getByText("Your login takes a code from your authenticator app.")).toBeVisible();

  const phone = await visit(null, { userAgent: IPHONE });
  const login = await new LoginPage(phone).open();
  await login.signIn(person);
  const code = phone.getByLabel("Code", { exact: true });
  await code.fill("000000");
  expect(await violations(phone)).toEqual([]);
  await phone.getByRole("button", { name: "Login", exact: true }).click();
  await expect(phone.getByText("This code is not right, or was used before")).toBeVisible();
  await code.fill(appCode(secret, 1)); // that of now was used when it was set up
  await phone.getByRole("button", { name: "Login", exact: true }).click();
  await expect(login.signOut).toBeVisible();

  const third = await visit();
  const again = await new LoginPage(third).open();
  await again.signIn(person);
  await third.getByLabel("Code", { exact: true }).fill(recoveryCode);
  await third.getByRole("button", { name: "Login", exact: true }).click();
  await expect(again.signOut).toBeVisible();
});
