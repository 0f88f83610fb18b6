import { devices } from "@playwright/test";
import { expect, test } from "../fixtures";
import { Dashboard, LoginPage, Site } from "../pages";
import { appCode } from "../support/authenticatorApp";
import type { Market } from "../support/market";
import { violations } from "../support/screenChecks";

const NEW_PASSWORD = "kettle brook 41";

type Path = "/reset" | "/verify" | "/verify?for=email" | "/verify?for=undo" | "/verify?for=second-factor";

/** The link in the newest email to an address that has one with this path. */
async function linkTo(market: Market, email: string, path: Path): Promise<string> {
  let link = "";
  await expect
    .poll(async () => {
      const response = await fetch(`${market.url}/sandbox/mail?to=${encodeURIComponent(email)}`);
      const texts = ((await response.json()) as { text: string }[]).map(({ text }) => text);
      const links = texts.flatMap((text) => text.match(/https?:\S+#token=\S+/) ?? []);
      link = links.find((candidate) => candidate.startsWith(`${new URL(candidate).origin}${path}#`)) ?? "";
      return link;
    })
    .not.toBe("");
  return link;
}

test("a change of the email is undone by a link that is sent to the old address", async ({
  market,
  people,
  visit,
  problems,
}) => {
  problems.expect(/status of 401 /, /status of 422 .*\/identity\/reset$/);
  const person = await people.buyer();
  const page = await visit(person);
  // Only an address that was confirmed gets the link.
  const confirmation = await linkTo(market, person.email, "/verify");
  await page.goto(confirmation);
  await page.getByRole("button", { name: "Confirm your address" }).click();
  await expect(page.getByText("Your email address is confirmed.")).toBeVisible();
  await new Dashboard(page).open("account");
  const newEmail = person.email.replace("@", ".new@");
  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByLabel("New email").fill(newEmail);
  await page.getByLabel("Current password").fill(person.password);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText(`We've sent a link to ${newEmail}.`, { exact: false })).toBeVisible();

  // The demo shows its email in a mailbox of its own.
  await linkTo(market, newEmail, "/verify?for=email");
  const mailbox = page.getByRole("link", { name: "the email is shown here" });
  await mailbox.and(page.locator(`[href*="${encodeURIComponent(newEmail)}"]`)).click();
  await expect(page.getByRole("heading", { name: /^Confirm your new email address/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: /#token=/ }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Confirm your address" }).click();
  await expect(page.getByText(/^Your account now uses this email address/)).toBeVisible();
  // Another browser, with a session of its own.
  const other = await visit();
  await (await new LoginPage(other).open()).signIn({ email: newEmail, password: person.password });
  await expect(new Site(other).signOut).toBeVisible();
  // The first link was used, and still says that it worked.
  await page.goto(confirmation);
  await page.getByRole("button", { name: "Confirm your address" }).click();
  await expect(page.getByText("Your email address is confirmed.")).toBeVisible();

  await page.goto(await linkTo(market, person.email, "/verify?for=undo"));
  await page.getByRole("button", { name: "Change it back" }).click();
  await expect(page.getByText(/^Your account uses this email address again/)).toBeVisible();
  await expect(new Site(other).signOut).toBeHidden();
  const reset = await linkTo(market, person.email, "/reset");
  await page.goto(reset);
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page).toHaveURL(/\/login$/);
  const login = new LoginPage(page);
  await login.signIn({ email: person.email, password: NEW_PASSWORD });
  await expect(login.signOut).toBeVisible();
  problems.expect(/status of 410 .*\/identity\/reset$/);
  await page.goto(reset);
  await expect(page.getByText("This link has been used or has expired.")).toBeVisible();
  await expect(page.getByLabel("New password")).toHaveCount(0);
});

test("with two-step login a login requires a code of the authenticator app or a recovery code", async ({
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
  await page.getByRole("button", { name: "I've saved them" }).click();
  await expect(
    page.getByText("When you log in, you enter a code from your authenticator app."),
  ).toBeVisible();

  const phone = await visit(null, { userAgent: devices["iPhone 15"].userAgent });
  const login = await new LoginPage(phone).open();
  await login.signIn(person);
  const code = phone.getByLabel("Code", { exact: true });
  await code.fill("000000");
  expect(await violations(phone)).toEqual([]);
  await phone.getByRole("button", { name: "Login", exact: true }).click();
  await expect(phone.getByText("This code is not right, or was used before")).toBeVisible();
  await code.fill(appCode(secret, 1)); // the current code was used for the setup
  await phone.getByRole("button", { name: "Login", exact: true }).click();
  await expect(login.signOut).toBeVisible();

  const third = await visit();
  const thirdLogin = await new LoginPage(third).open();
  await thirdLogin.signIn(person);
  await third.getByLabel("Code", { exact: true }).fill(recoveryCode);
  await third.getByRole("button", { name: "Login", exact: true }).click();
  await expect(thirdLogin.signOut).toBeVisible();
});
