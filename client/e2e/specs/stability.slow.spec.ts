import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { DelayedResponses } from "../support/delayedResponses";
import { expectNoShift, FONT_SHIFT, forgetShifts } from "../support/layoutShifts";
import { Person, type Phone } from "../support/person";
import { SOAK } from "../support/soak";

interface Place {
  /** A login of the demo; a visitor has none. */
  role?: string;
  path: (phone: Phone, brand: string) => string;
  /** What is visible when everything is loaded. */
  last: (page: Page) => Promise<unknown>;
}

/** The position of the first navigation link; 0 if the menu is closed. */
const navigation = (page: Page) =>
  page.evaluate(() => document.getElementById("menu")?.getBoundingClientRect().x ?? 0);
const cards = (page: Page) => expect(page.getByRole("article").nth(3)).toBeVisible();
const article = (page: Page) => expect(page.getByRole("article")).toBeVisible();
const more = (page: Page) =>
  expect(
    page
      .getByRole("region", { name: /^More from/ })
      .getByText(/\$\d/)
      .first(),
  ).toBeVisible();
const figures = (page: Page) => expect(page.getByRole("definition").first()).toHaveText(/\d/);
const rows = (page: Page) => expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible();

const places: Record<string, Place> = {
  "Home of a visitor": { path: () => "/", last: cards },
  "Home of a buyer": { role: "buyer", path: () => "/", last: cards },
  "a brand": { role: "buyer", path: (_, brand) => `/category/${brand}`, last: cards },
  "a phone": { role: "buyer", path: ({ _id }) => `/phone/${_id}`, last: more },
  "a visitor's phone": {
    path: ({ _id }) => `/phone/${_id}`,
    last: article,
  },
  "a buyer's dashboard": { role: "buyer", path: () => "/dashboard", last: figures },
  "a seller's dashboard": { role: "seller-verified", path: () => "/dashboard", last: figures },
  "an admin's dashboard": { role: "admin", path: () => "/dashboard", last: figures },
  "a seller's phones": { role: "seller-verified", path: () => "/dashboard/myProducts", last: rows },
  "the sellers": { role: "admin", path: () => "/dashboard/allSellers", last: rows },
};

for (const [name, { role, path, last }] of Object.entries(places)) {
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
    const who = role ? await Person.demo(market, role) : null;
    for (const [width, height] of [
      [360, 780],
      [1440, 900],
      [1440, 2400],
    ] as const) {
      // Each width has its own window, because shifts shortly after a resize are not counted.
      const page = await visit(who, { viewport: { width, height } });
      const answers = await DelayedResponses.of(page);
      await answers.open(path(phone, brand._id));
      const before = await navigation(page);
      await answers.releaseUntil(last(page));
      await answers.release();
      await expectNoShift(page, `${name} at ${width} x ${height}`, FONT_SHIFT);
      const moved = (await navigation(page)) - before;
      expect(Math.abs(moved), "pixels that the navigation moved by, font apart").toBeLessThan(20);
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
    const answers = await DelayedResponses.of(page);
    await answers.open(`/phone/${phone._id}`);
    await answers.releaseUntil(expect(page.getByRole("heading", { name: /^More from/ })).toBeVisible());
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await forgetShifts(page);
    await answers.releaseUntil(more(page));
    await answers.release();
    await expectNoShift(page, `at ${width}`, 0);
  }
});
