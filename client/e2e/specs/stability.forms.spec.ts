import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { LoginPage, SignUpPage } from "../pages";
import { afterPaint, expectNoShift, FONT } from "../support/layoutShifts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

/** Both forms, and the last element below each. */
const forms = [
  {
    name: "sign-up",
    on: (page: Page) => new SignUpPage(page),
    last: (page: Page) => page.getByRole("main").getByRole("link", { name: "Log in" }),
  },
  {
    name: "login",
    on: (page: Page) => new LoginPage(page),
    last: (page: Page) => page.getByRole("main").getByRole("link", { name: "Create an account" }),
  },
];

/** Holds the font until the returned function is called. */
async function holdFont(page: Page): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(FONT, async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}

test("sign-up and login are complete at once, and neither the font nor GET /config moves anything", async ({
  visit,
}) => {
  for (const { name, on, last } of forms) {
    for (const width of [360, 768, 1440]) {
      const page = await visit(null, { viewport: { width, height: 780 } });
      const configRequests: string[] = [];
      // The request never gets a response.
      await page.route(/\/config$/, (route) => void configRequests.push(route.request().url()));
      const releaseFont = await holdFont(page);
      const form = on(page);
      const opened = form.open(); // ends after the font has loaded
      await expect(form.submit).toBeVisible();
      await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
      await expect(form.footer).toBeInViewport();
      await expect(form.google).toBeVisible();
      await expect(last(page)).toBeVisible();
      await afterPaint(page);
      releaseFont();
      await opened;
      await expectNoShift(page, `${name} at ${width}`, 0);
      expect(configRequests).toEqual([]);
    }
  }
});

test("an error under sign-up and login moves nothing, even when it comes late", async ({
  people,
  visit,
  problems,
}) => {
  problems.expect(/status of 40[19] .*\/identity\/sign-(in|up)$/);
  const { email } = await people.buyer();
  for (const width of [360, 1440]) {
    // The viewport is so high that nothing scrolls.
    const page = await visit(null, { viewport: { width, height: 1800 } });
    const signUp = await new SignUpPage(page).open();
    const signUpBox = await signUp.google.boundingBox();
    await signUp.signUp({ name: "Twin", email, password: "another password", accountType: "User" });
    await expect(page.getByText("Email is already in use", { exact: true })).toBeVisible();
    expect(await signUp.google.boundingBox(), `sign-up at ${width}`).toEqual(signUpBox);

    const login = await new LoginPage(page).open();
    const loginBox = await login.google.boundingBox();
    await login.signIn({ email, password: "another password" });
    await expect(page.getByText("Wrong email or password", { exact: true })).toBeVisible();
    expect(await login.google.boundingBox(), `login at ${width}`).toEqual(loginBox);
  }
});
