import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { LoginPage, SignUpPage, Site } from "../pages";
import { switchSecondFactorOn } from "../support/authenticatorApp";
import { screenshot, violations } from "../support/screenChecks";
import { expectHeading, openScreen, type Screen, type ScreenContext, testScreens } from "../support/screens";

async function showHome({ page }: ScreenContext) {
  await page.goto("/");
  const advertised = page.getByRole("region", { name: "Advertised Items" });
  await expect(advertised.getByRole("article").first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Smartphone Brands" }).getByRole("link")).toHaveCount(7);
}

async function showPhone({ page, phone }: ScreenContext) {
  await page.goto(`/phone/${phone._id}`);
  await expect(page.getByRole("article", { name: phone.name, exact: true })).toBeVisible();
}

/** Opens the form of a link that the server calls good. */
async function openLink(page: Page, path: string, call = path) {
  await page.route(`**/identity${call}`, (route) =>
    route.fulfill({ status: 422, json: { message: "Password is required", code: "invalid", fields: {} } }),
  );
  // From the same path a navigation would not load the page.
  await page.goto("about:blank");
  await page.goto(`${path}#token=any`);
}

/** The screens of visitors, and errors. */
const screens: Record<string, Screen> = {
  home: { show: showHome },
  "home-signed-in": { user: "buyer", show: showHome },
  categories: {
    show: async ({ page }) => {
      await page.goto("/categories");
      await expect(page.getByRole("main").getByRole("link")).toHaveCount(12);
    },
  },
  "phone-of-the-demo-visitor": { show: showPhone },
  "phone-of-the-demo": { user: "buyer", show: showPhone },
  blog: { show: ({ page }) => openScreen(page, "/blog", "Coming Soon...") },
  contact: { show: ({ page }) => openScreen(page, "/contact", "Contact Us") },
  "not-found": { show: ({ page }) => openScreen(page, "/nowhere", /not available/) },
  login: {
    show: async ({ page }) => {
      const login = await new LoginPage(page).open();
      await expect(login.google).toBeVisible();
    },
  },
  "login-for-a-brand": {
    show: async ({ page, brand }) => {
      await page.goto(`/category/${brand._id}`);
      await expect(page.getByText(`Log in to see ${brand.name} phones`, { exact: true })).toBeVisible();
    },
  },
  "login-refused": {
    show: async ({ page }) => {
      const login = await new LoginPage(page).open();
      await login.signIn({ email: "nobody@example.com", password: "a wrong password" });
      await expect(page.getByText("Wrong email or password")).toBeVisible();
    },
  },
  "sign-up": {
    show: async ({ page }) => {
      const form = await new SignUpPage(page).open();
      await expect(form.submit).toBeVisible();
    },
  },
  "sign-up-unfilled": {
    show: async ({ page }) => {
      const form = await new SignUpPage(page).open();
      await form.submit.click();
      await expect(page.getByText("Password is required")).toBeVisible();
    },
  },
  forgot: {
    show: ({ page }) => openScreen(page, "/forgot", "Forgot your password?"),
  },
  "forgot-sent": {
    show: async ({ page }) => {
      await openScreen(page, "/forgot", "Forgot your password?");
      await page.getByLabel("Email", { exact: true }).fill("nobody@example.com");
      await page.getByRole("button", { name: "Send link" }).click();
      await expect(page.getByRole("button", { name: "Send again" })).toBeVisible();
    },
  },
  reset: {
    show: async ({ page }) => {
      await openLink(page, "/reset");
      await page.getByLabel("New password").fill("correct horse");
      await expect(page.getByText("Strong password")).toBeVisible();
    },
  },
  "reset-used": { show: ({ page }) => openScreen(page, "/reset", "Choose a new password") },
  "verify-used": {
    show: async ({ page }) => {
      await page.goto("/verify");
      await expect(page.getByRole("link", { name: "Log in to get a new link" })).toBeVisible();
    },
  },
  "verify-new-email-used": {
    show: ({ page }) => openScreen(page, "/verify?for=email", "Confirm your email"),
  },
  "verify-change-back": {
    show: async ({ page }) => {
      await page.goto("about:blank");
      await page.goto("/verify?for=undo#token=any");
      await expect(page.getByRole("button", { name: "Change it back" })).toBeVisible();
    },
  },
  "verify-change-back-used": {
    show: ({ page }) => openScreen(page, "/verify?for=undo", "Change your email back"),
  },
  setup: {
    show: async ({ page }) => {
      await openLink(page, "/setup", "/first-admin");
      await page.getByRole("button", { name: "Create admin" }).click();
      await expect(page.getByText("Password is required")).toBeVisible();
    },
  },
  "setup-used": { show: ({ page }) => openScreen(page, "/setup", "Set up SecondRing") },
  appeal: {
    show: async ({ page }) => {
      await page.goto("about:blank");
      await page.goto("/appeal#token=any");
      await page.getByRole("button", { name: "Send" }).click();
      await expect(page.getByText("Please tell us why")).toBeVisible();
    },
  },
  "appeal-used": { show: ({ page }) => openScreen(page, "/appeal", "Ask us to look again") },
  "login-code": {
    prepare: async ({ people }) => {
      const person = await people.buyer();
      await switchSecondFactorOn(person);
      return JSON.stringify({ email: person.email, password: person.password });
    },
    show: async ({ page }, login) => {
      await (await new LoginPage(page).open()).signIn(JSON.parse(login));
      await expectHeading(page, "Enter your code");
    },
  },
  "second-factor-required": {
    show: async ({ page }) => {
      await page.goto("/secondFactor");
      await expect(page.getByRole("button", { name: "Continue" })).toBeVisible();
    },
  },
  "error-page": {
    show: async ({ page }) => {
      await page.route(/assets\/Blog-.*\.js/, (route) => route.abort());
      await page.goto("/blog");
      await expectHeading(page, "Something went wrong");
    },
  },
};

testScreens(screens);

test("the menu of a narrow screen opens, is accessible and closes after a choice", async ({
  people,
  visit,
}) => {
  const page = await visit(await people.buyer(), { viewport: { width: 360, height: 780 } });
  await page.goto("/");
  const site = new Site(page);
  await expect(site.nav).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(site.link("Dashboard")).toBeVisible();
  await expect(site.signOut).toBeVisible();
  await screenshot(page, "menu-360");
  expect(await violations(page)).toEqual([]);
  await site.link("Blog").click();
  await expect(page.getByText("Coming Soon...")).toBeVisible();
  await expect(site.nav).toBeHidden();
});

test("the theme can be changed and is remembered", async ({ visit }) => {
  const page = await visit(null, { colorScheme: "light" });
  await page.goto("/blog");
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Use the dark theme" }).click();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await expect(page.getByRole("button", { name: "Use the light theme" })).toBeVisible();
  expect(await background()).toBe(dark);
});
