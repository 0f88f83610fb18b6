import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { DelayedResponses } from "../support/delayedResponses";
import { expectNoShift, resetShifts } from "../support/layoutShifts";
import { Person, type Phone } from "../support/person";
import { SOAK } from "../support/soak";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

interface LoadingScreen {
  /** A login of the demo; a visitor has none. */
  role?: string;
  path: (phone: Phone, brand: string) => string;
  /** Waits for the last element that loads. */
  waitUntilLoaded: (page: Page) => Promise<unknown>;
}

/** The position of the first navigation link; 0 if the menu is closed. */
const navigationX = (page: Page) =>
  page.evaluate(() => document.getElementById("menu")?.getBoundingClientRect().x ?? 0);
const waitForCards = (page: Page) => expect(page.getByRole("article").nth(3)).toBeVisible();
const waitForArticle = (page: Page) => expect(page.getByRole("article")).toBeVisible();
const waitForMorePhones = (page: Page) =>
  expect(
    page
      .getByRole("region", { name: /^More from/ })
      .getByText(/\$\d/)
      .first(),
  ).toBeVisible();
const waitForTasks = (page: Page) =>
  expect(
    page
      .getByRole("region", { name: /^(What comes next|To do, oldest first)$/ })
      .getByRole("listitem")
      .first(),
  ).toBeVisible();
const waitForTasksAndNumbers = async (page: Page) => {
  await waitForTasks(page);
  await expect(page.getByRole("definition").last()).toHaveText(/\d/);
};
const waitForRows = (page: Page) => expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible();

const screens: Record<string, LoadingScreen> = {
  "Home of a visitor": { path: () => "/", waitUntilLoaded: waitForCards },
  "Home of a buyer": { role: "buyer", path: () => "/", waitUntilLoaded: waitForCards },
  "a brand": { role: "buyer", path: (_, brand) => `/category/${brand}`, waitUntilLoaded: waitForCards },
  "a phone": { role: "buyer", path: ({ _id }) => `/phone/${_id}`, waitUntilLoaded: waitForMorePhones },
  "a visitor's phone": {
    path: ({ _id }) => `/phone/${_id}`,
    waitUntilLoaded: waitForArticle,
  },
  "a buyer's dashboard": { role: "buyer", path: () => "/dashboard", waitUntilLoaded: waitForTasksAndNumbers },
  "a seller's dashboard": {
    role: "seller-verified",
    path: () => "/dashboard",
    waitUntilLoaded: waitForTasksAndNumbers,
  },
  "an admin's dashboard": { role: "admin", path: () => "/dashboard", waitUntilLoaded: waitForTasks },
  "a seller's phones": {
    role: "seller-verified",
    path: () => "/dashboard/myProducts",
    waitUntilLoaded: waitForRows,
  },
  "the sellers": { role: "admin", path: () => "/dashboard/allSellers", waitUntilLoaded: waitForRows },
};

for (const [name, { role, path, waitUntilLoaded }] of Object.entries(screens)) {
  test(`${name} does not move when responses are late`, { tag: SOAK }, async ({
    market,
    adminUser,
    brand,
    visit,
  }) => {
    test.slow();
    const phones = await adminUser.request<Phone[]>("get", `/categories/${brand._id}`);
    const phone = phones.at(-1);
    if (!phone) throw new Error("the demo has phones of every brand");
    const person = role ? await Person.demo(market, role) : null;
    for (const [width, height] of [
      [360, 780],
      [1440, 900],
      [1440, 2400],
    ] as const) {
      // Each size has its own page, because shifts shortly after a resize are not counted.
      const page = await visit(person, { viewport: { width, height } });
      const responses = await DelayedResponses.of(page);
      await responses.open(path(phone, brand._id));
      await resetShifts(page);
      const before = await navigationX(page);
      await responses.releaseUntil(waitUntilLoaded(page));
      await responses.release();
      await expectNoShift(page, `${name} at ${width} x ${height}`, 0.002);
      expect(await navigationX(page), "the position of the navigation").toBe(before);
    }
  });
}

test("the end of a phone's page does not move while the other phones of its brand load", async ({
  market,
  adminUser,
  brand,
  visit,
}) => {
  const [phone] = await adminUser.request<Phone[]>("get", `/categories/${brand._id}`);
  if (!phone) throw new Error("the demo has phones of every brand");
  const buyer = await Person.demo(market, "buyer");
  for (const width of [360, 768, 1440]) {
    const page = await visit(buyer, { viewport: { width, height: 780 } });
    const responses = await DelayedResponses.of(page);
    await responses.open(`/phone/${phone._id}`);
    await responses.releaseUntil(expect(page.getByRole("heading", { name: /^More from/ })).toBeVisible());
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await resetShifts(page);
    await responses.releaseUntil(waitForMorePhones(page));
    await responses.release();
    await expectNoShift(page, `at ${width}`, 0);
  }
});
