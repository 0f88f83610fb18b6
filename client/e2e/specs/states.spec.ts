import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { PhonePage } from "../pages";
import { Person } from "../support/person";
import { SOAK } from "../support/soak";

declare global {
  interface Window {
    /** The sum of the layout shifts without user input. */
    moved?: number;
    /** The elements that moved, for the message of a failed test. */
    movers?: string[];
  }
}

/** The requests of a screen that loads. */
const CALLS =
  /\/(categories|allCategories|productCategory|products|bookings|booking|users|reportedItems|config|identity|jwt)(\/|\?|$)/;
/** The delay of a slow response, milliseconds. */
const SLOW_MS = 1500;
const SIZES = [
  { width: 360, height: 780 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];

/** Delays responses, and measures layout shifts from the first paint on. */
async function slowly(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.moved = 0;
    window.movers = [];
    interface Shift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources?: { node?: Element | null }[];
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue;
        window.moved = (window.moved ?? 0) + entry.value;
        const nodes = entry.sources?.map(({ node }) => node?.outerHTML?.slice(0, 120)) ?? [];
        window.movers?.push(`${entry.value.toFixed(4)} ${nodes.join(" | ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.route(CALLS, async (route) => {
    if (route.request().resourceType() === "document") return route.continue();
    await new Promise((done) => setTimeout(done, SLOW_MS));
    // The page may have been closed meanwhile.
    await route.continue().catch(() => undefined);
  });
}

/** Every screen that loads data: its user, its URL, and what is visible when it is loaded. */
const screens: Record<string, { who?: string; path: string; there: (page: Page) => Promise<void> }> = {
  home: {
    path: "/",
    there: (page) =>
      expect(
        page.getByRole("region", { name: "Advertised Items" }).getByRole("article").first(),
      ).toBeVisible(),
  },
  categories: {
    path: "/categories",
    there: (page) => expect(page.getByRole("main").getByRole("link")).toHaveCount(12),
  },
  login: {
    path: "/login",
    there: (page) => expect(page.getByRole("link", { name: /Google/ })).toBeVisible(),
  },
  contact: {
    path: "/contact",
    there: (page) => expect(page.getByText("hello@example.com").first()).toBeVisible(),
  },
  brand: {
    who: "buyer",
    path: "/category/:brand",
    there: (page) => expect(page.getByRole("article").first()).toBeVisible(),
  },
  phone: {
    who: "buyer",
    path: "/phone/:phone",
    there: (page) =>
      expect(
        page
          .getByRole("region", { name: /^More from/ })
          .getByRole("listitem")
          .first(),
      ).toBeVisible(),
  },
  "phone-visitor": {
    path: "/phone/:phone",
    there: (page) => expect(page.getByRole("heading", { level: 1 })).toBeVisible(),
  },
  buyer: {
    who: "buyer",
    path: "/dashboard",
    there: (page) => expect(page.getByText("Total to pay")).toBeVisible(),
  },
  "my-orders": {
    who: "buyer",
    path: "/dashboard/myOrders",
    there: (page) => expect(page.getByRole("table").or(page.getByText("You have not booked"))).toBeVisible(),
  },
  order: {
    who: "buyer",
    path: "/dashboard/order/:order",
    there: (page) => expect(page.getByRole("button", { name: "Print receipt" })).toBeVisible(),
  },
  seller: {
    who: "seller",
    path: "/dashboard",
    there: (page) => expect(page.getByText(/^asking /)).toBeVisible(),
  },
  "my-products": {
    who: "seller",
    path: "/dashboard/myProducts",
    there: (page) => expect(page.getByRole("table")).toBeVisible(),
  },
  "add-product": {
    who: "seller",
    path: "/dashboard/addProduct",
    there: (page) => expect(page.locator("[name=resalePrice]")).toBeVisible(),
  },
  earnings: {
    who: "seller",
    path: "/dashboard/earnings",
    there: (page) => expect(page.getByRole("table")).toBeVisible(),
  },
  orders: {
    who: "admin",
    path: "/dashboard/orders",
    there: (page) => expect(page.getByRole("table")).toBeVisible(),
  },
  admin: {
    who: "admin",
    path: "/dashboard",
    there: (page) => expect(page.getByText("Not verified yet")).toBeVisible(),
  },
  "all-buyers": {
    who: "admin",
    path: "/dashboard/allBuyers",
    there: (page) => expect(page.getByRole("table")).toBeVisible(),
  },
  "all-sellers": {
    who: "admin",
    path: "/dashboard/allSellers",
    there: (page) => expect(page.getByRole("table")).toBeVisible(),
  },
  "reported-items": {
    who: "admin",
    path: "/dashboard/reportedItems",
    there: (page) => expect(page.getByRole("table").or(page.getByText("No reports yet"))).toBeVisible(),
  },
};

for (const [name, { who, path, there }] of Object.entries(screens)) {
  test(`${name} reserves the space of slow responses, at every width`, { tag: SOAK }, async ({
    market,
    adminUser,
    brand,
    visit,
  }) => {
    const phones = await adminUser.request<{ _id: string }[]>("get", `/categories/${brand._id}?limit=1`);
    const person = who ? await Person.demo(market, who) : null;
    const orders = who === "buyer" ? await person?.orders() : [];
    const paid = orders?.find(({ status }) => status === "paid");
    const address = path
      .replace(":brand", brand._id)
      .replace(":phone", phones[0]?._id ?? "")
      .replace(":order", paid?._id ?? "");
    for (const viewport of SIZES) {
      const page = await visit(person, { viewport });
      await slowly(page);
      await page.goto(address);
      await there(page);
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const { moved, movers } = await page.evaluate(() => ({ moved: window.moved, movers: window.movers }));
      expect.soft(moved, `${viewport.width}: ${movers?.join("\n")}`).toBeLessThanOrEqual(0.02);
    }
  });
}

/** Unusual names: one long word, right-to-left text, and characters that are not letters. */
const NAMES = ["W".repeat(90), "هاتف ذكي مستعمل بحالة ممتازة جدا مع علبته الأصلية", "📱✨👩‍👩‍👧‍👦🇧🇩 Phone"];

/** The horizontal overflow of a page, CSS pixels. */
const beyond = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("long, foreign and unusual names fit, also from right to left and at twice the size", async ({
  brand,
  people,
  visit,
}) => {
  const seller = await people.seller();
  const buyer = await people.buyer();
  const phones = [];
  for (const name of NAMES) phones.push(await seller.list(name, brand));
  for (const phone of phones.slice(1)) await buyer.book(phone);
  const order = `/dashboard/order/${(await buyer.orders())[0]?._id}`;
  const paths = {
    buyer: [`/category/${brand._id}`, `/phone/${phones[0]?._id}`, "/dashboard", "/dashboard/myOrders", order],
    seller: ["/dashboard", "/dashboard/myProducts"],
  };
  for (const [who, person] of Object.entries({ buyer, seller })) {
    const page = await visit(person, { reducedMotion: "reduce" });
    for (const path of paths[who as keyof typeof paths]) {
      await page.setViewportSize({ width: 360, height: 780 });
      await page.goto(path);
      await expect(page.getByText("WWWWWWWW").or(page.getByText("Phone")).first()).toBeVisible();
      expect.soft(await beyond(page), `${path} at 360`).toBeLessThanOrEqual(0);
      await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
      expect.soft(await beyond(page), `${path} from right to left`).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 640, height: 780 });
      await page.evaluate(() => document.documentElement.style.setProperty("font-size", "32px"));
      expect.soft(await beyond(page), `${path} twice as large`).toBeLessThanOrEqual(0);
    }
  }
});

test("a booking form whose phone was booked watches its model and offers a similar one, and keeps its input", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const phone = await seller.list(unique("Lost one"), brand);
  const near = await seller.list(unique("Nearest"), brand);
  const buyer = await people.buyer();
  const page = await visit(buyer, { reducedMotion: "reduce", viewport: { width: 360, height: 780 } });
  const site = await new PhonePage(page).open(phone);
  const dialog = await site.phone(phone.name).book();
  await dialog.phone.fill("+880 1234-777888");
  const [place, size] = [await dialog.phone.boundingBox(), await dialog.root.boundingBox()];
  await (await people.buyer("Faster")).book(phone);
  const other = dialog.root.getByRole("button", { name: `Book ${near.name} instead` });
  await expect(other).toBeVisible();
  await expect(dialog.root.getByRole("button", { name: "Wait for it" })).toBeVisible();
  await dialog.root.getByRole("button", { name: "Watch this model" }).click();
  await expect(dialog.root.getByRole("button", { name: "Saved" })).toBeFocused();
  expect(await dialog.phone.boundingBox()).toEqual(place);
  expect(await dialog.root.boundingBox()).toEqual(size);
  const [search] = await buyer.request<{ name: string; query: string }[]>("get", "/searches");
  expect(search?.name).toBe(`${brand.name} ${phone.name}`);
  expect(new URLSearchParams(search?.query).get("q")).toBe(phone.name);
  await other.click();
  await expect(dialog.phone).toHaveValue("+880 1234-777888");
  await expect(dialog.confirm).toBeFocused();
  await dialog.confirm.click();
  await expect(site.toast("Booking Confirmed")).toBeVisible();
});
