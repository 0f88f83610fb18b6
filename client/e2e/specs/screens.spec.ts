import type { Page } from "@playwright/test";
import { test as base, expect } from "../fixtures";
import { AddProductPage, CategoryPage, Dashboard, LoginPage, SignUpPage, Site } from "../pages";
import { looksRight, picture, violations } from "../support/looks";
import { type Brand, Person } from "../support/person";

/** With the brand of the fewest phones: looking at a hundred cards takes its time and finds no more. */
const test = base.extend<object, { smallBrand: Brand }>({
  smallBrand: [
    async ({ chief }, use) => {
      const sizes = await Promise.all(
        (await chief.brands()).map(async (brand) => {
          const phones = await chief.ask<unknown[]>("get", `/categories/${brand._id}`);
          return { brand, size: phones.length };
        }),
      );
      const [smallest] = sizes.filter(({ size }) => size > 5).sort((one, other) => one.size - other.size);
      if (!smallest) throw new Error("the demo has phones of every brand");
      await use(smallest.brand);
    },
    { scope: "worker" },
  ],
});

/** One screen: who sees it and how it comes up, until nothing more is to come. */
interface Screen {
  who?: "buyer" | "seller-verified" | "seller" | "admin";
  show: (page: Page, brand: { _id: string }) => Promise<void>;
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole("heading", { name }).first()).toBeVisible();

async function headed(page: Page, path: string, name: string | RegExp) {
  await page.goto(path);
  await heading(page, name);
}

async function dialog(page: Page, brand: { _id: string }, button: string) {
  const category = await new CategoryPage(page).open(brand);
  await category.cards.getByRole("button", { name: button }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

async function question(page: Page, path: string) {
  await new Dashboard(page).open(path);
  await page
    .getByRole("table")
    .getByRole("button", { name: /^Delete/ })
    .first()
    .click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
}

const screens: Record<string, Screen> = {
  home: {
    show: async (page) => {
      await page.goto("/");
      await expect(
        page.getByRole("region", { name: "Advertised Items" }).getByRole("article").first(),
      ).toBeVisible();
      await expect(page.getByRole("region", { name: "Smartphone Brands" }).getByRole("link")).toHaveCount(7);
    },
  },
  categories: {
    show: async (page) => {
      await page.goto("/categories");
      await expect(page.getByRole("main").getByRole("link")).toHaveCount(12);
    },
  },
  blog: { show: (page) => headed(page, "/blog", "Coming Soon...") },
  contact: { show: (page) => headed(page, "/contact", "Contact Us") },
  "not-found": {
    show: (page) => headed(page, "/nowhere", /not available/),
  },
  login: {
    show: async (page) => {
      const login = await new LoginPage(page).open();
      await expect(login.google).toBeVisible();
    },
  },
  "login-refused": {
    show: async (page) => {
      const login = await new LoginPage(page).open();
      await login.signIn({ email: "nobody@example.com", password: "a wrong one" });
      await expect(page.getByText("Wrong email or password")).toBeVisible();
    },
  },
  "sign-up-unfilled": {
    show: async (page) => {
      const form = await new SignUpPage(page).open();
      await form.submit.click();
      await expect(page.getByText("Password is required")).toBeVisible();
    },
  },
  "error-page": {
    show: async (page) => {
      await page.route(/assets\/Blog-.*\.js/, (route) => route.abort());
      await page.goto("/blog");
      await heading(page, "Something went wrong");
    },
  },
  "category-failed": {
    who: "buyer",
    show: async (page) => {
      await page.goto("/category/nowhere");
      await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
    },
  },
  category: {
    who: "buyer",
    show: async (page, brand) => {
      const category = await new CategoryPage(page).open(brand);
      await expect(category.cards.nth(3)).toBeVisible();
    },
  },
  "booking-dialog": {
    who: "buyer",
    show: async (page, brand) => {
      await dialog(page, brand, "Book Now");
      await page.getByRole("dialog").locator("[type=submit]").click();
      await expect(page.getByText("Phone is required")).toBeVisible();
    },
  },
  "report-dialog": { who: "buyer", show: (page, brand) => dialog(page, brand, "Report To Admin") },
  dashboard: {
    who: "buyer",
    show: (page) => headed(page, "/dashboard", "Dashboard"),
  },
  "my-orders": {
    who: "buyer",
    show: async (page) => {
      await new Dashboard(page).open("myOrders");
      await heading(page, "My Orders");
      await expect(
        page.getByRole("table").or(page.getByText("You have not booked a phone yet")),
      ).toBeVisible();
    },
  },
  "wrong-role": {
    who: "buyer",
    show: async (page) => {
      await new Dashboard(page).open("allBuyers");
      await expect(page.getByText("This page is for admins")).toBeVisible();
    },
  },
  "add-product-unfilled": {
    who: "seller",
    show: async (page) => {
      const form = await new AddProductPage(page).open();
      await form.submit.click();
      await expect(page.getByText("Description is required")).toBeVisible();
    },
  },
  "my-products": {
    who: "seller-verified",
    show: async (page) => {
      await new Dashboard(page).open("myProducts");
      await heading(page, /^My Products: \d+$/);
    },
  },
  "my-products-unverified": {
    who: "seller",
    show: async (page) => {
      await new Dashboard(page).open("myProducts");
      await heading(page, /^My Products: \d+$/);
    },
  },
  "price-dialog": {
    who: "seller",
    show: async (page) => {
      await new Dashboard(page).open("myProducts");
      await page
        .getByRole("button", { name: /^Change/ })
        .first()
        .click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  "delete-product": { who: "seller", show: (page) => question(page, "myProducts") },
  "all-buyers": {
    who: "admin",
    show: (page) => headed(page, "/dashboard/allBuyers", /^All Buyers: \d+$/),
  },
  "delete-buyer": { who: "admin", show: (page) => question(page, "allBuyers") },
  "all-sellers": {
    who: "admin",
    show: async (page) => {
      await new Dashboard(page).open("allSellers");
      await expect(page.getByRole("table")).toBeVisible();
    },
  },
  "reported-items": {
    who: "admin",
    show: async (page) => {
      await new Dashboard(page).open("reportedItems");
      await expect(page.getByRole("table")).toBeVisible();
    },
  },
};

for (const [name, { who, show }] of Object.entries(screens)) {
  test(`${name} is accessible and fits, narrow and wide, light and dark`, async ({
    market,
    smallBrand,
    people,
    visit,
    problems,
  }) => {
    // Some screens are about what went wrong.
    problems.expect(/status of 40[14] /, /ERR_FAILED/, /Failed to fetch dynamically/);
    if (name === "reported-items" || name === "my-orders") {
      const phone = await (await people.seller()).list("Phone with a rather long name, 128 GB", smallBrand);
      const buyer = await Person.demo(market, "buyer");
      await buyer.report(phone, "It rings at night. ".repeat(12));
      await buyer.book(phone);
    }
    const page = await visit(who && (await Person.demo(market, who)), { reducedMotion: "reduce" });
    await show(page, smallBrand);
    await looksRight(page, name);
  });
}

test("the folded menu of a narrow screen opens, is accessible and closes with the choice", async ({
  people,
  visit,
}) => {
  const page = await visit(await people.buyer(), {
    viewport: { width: 360, height: 780 },
    reducedMotion: "reduce",
  });
  await page.goto("/");
  const site = new Site(page);
  await expect(site.nav).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(site.link("Dashboard")).toBeVisible();
  await expect(site.signOut).toBeVisible();
  await picture(page, "menu-360");
  expect(await violations(page)).toEqual([]);
  await site.link("Blog").click();
  await expect(page.getByText("Coming Soon...")).toBeVisible();
  await expect(site.nav).toBeHidden();
});

test("the theme can be changed and stays changed", async ({ visit }) => {
  const page = await visit(null, { colorScheme: "light" });
  await page.goto("/blog");
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Use the dark theme" }).click();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  await expect(page.getByRole("button", { name: "Use the light theme" })).toBeVisible();
  expect(await ground()).toBe(dark);
});
