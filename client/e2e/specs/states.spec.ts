import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { PhonePage } from "../pages";
import { afterPaint, expectNoShift } from "../support/layoutShifts";
import { Person } from "../support/person";
import { finishAnimations } from "../support/screenChecks";
import { SOAK } from "../support/soak";

/** The delay of a slow response, milliseconds. */
const SLOW_MS = 1500;
const SIZES = [
  { width: 360, height: 780 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];

/** Delays the responses of a page's API calls. */
async function delayResponses(page: Page): Promise<void> {
  await page.route("**/*", async (route) => {
    if (!["fetch", "xhr"].includes(route.request().resourceType())) return route.continue();
    await new Promise((done) => setTimeout(done, SLOW_MS));
    // The page may have been closed meanwhile.
    await route.continue().catch(() => undefined);
  });
}

/** Every screen that loads data: its user, its URL, and what is visible when it is loaded. */
const screens: Record<
  string,
  { user?: string; path: string; waitUntilLoaded: (page: Page) => Promise<void> }
> = {
  home: {
    path: "/",
    waitUntilLoaded: (page) =>
      expect(
        page.getByRole("region", { name: "Advertised Items" }).getByRole("article").first(),
      ).toBeVisible(),
  },
  categories: {
    path: "/categories",
    waitUntilLoaded: (page) => expect(page.getByRole("main").getByRole("link")).toHaveCount(12),
  },
  login: {
    path: "/login",
    waitUntilLoaded: (page) => expect(page.getByRole("link", { name: /Google/ })).toBeVisible(),
  },
  contact: {
    path: "/contact",
    waitUntilLoaded: (page) => expect(page.getByText("hello@example.com").first()).toBeVisible(),
  },
  brand: {
    user: "buyer",
    path: "/category/:brand",
    waitUntilLoaded: (page) => expect(page.getByRole("article").first()).toBeVisible(),
  },
  phone: {
    user: "buyer",
    path: "/phone/:phone",
    waitUntilLoaded: (page) =>
      expect(
        page
          .getByRole("region", { name: /^More from/ })
          .getByRole("listitem")
          .first(),
      ).toBeVisible(),
  },
  "phone-visitor": {
    path: "/phone/:phone",
    waitUntilLoaded: (page) => expect(page.getByRole("heading", { level: 1 })).toBeVisible(),
  },
  buyer: {
    user: "buyer",
    path: "/dashboard",
    waitUntilLoaded: (page) => expect(page.getByRole("heading", { name: "What comes next" })).toBeVisible(),
  },
  "my-orders": {
    user: "buyer",
    path: "/dashboard/myOrders",
    waitUntilLoaded: (page) => expect(page.getByRole("table", { name: "Past orders" })).toBeVisible(),
  },
  order: {
    user: "buyer",
    path: "/dashboard/order/:order",
    waitUntilLoaded: (page) => expect(page.getByRole("button", { name: "Print receipt" })).toBeVisible(),
  },
  seller: {
    user: "seller",
    path: "/dashboard",
    waitUntilLoaded: (page) => expect(page.getByRole("heading", { name: "What comes next" })).toBeVisible(),
  },
  "my-products": {
    user: "seller",
    path: "/dashboard/myProducts",
    waitUntilLoaded: (page) => expect(page.getByRole("table", { name: "My products" })).toBeVisible(),
  },
  "add-product": {
    user: "seller",
    path: "/dashboard/addProduct",
    waitUntilLoaded: (page) => expect(page.locator("[name=resalePrice]")).toBeVisible(),
  },
  earnings: {
    user: "seller",
    path: "/dashboard/earnings",
    waitUntilLoaded: (page) => expect(page.getByRole("table")).toBeVisible(),
  },
  orders: {
    user: "admin",
    path: "/dashboard/orders",
    waitUntilLoaded: (page) => expect(page.getByRole("table")).toBeVisible(),
  },
  admin: {
    user: "admin",
    path: "/dashboard",
    waitUntilLoaded: (page) =>
      expect(page.getByRole("heading", { name: "To do, oldest first" })).toBeVisible(),
  },
  "all-buyers": {
    user: "admin",
    path: "/dashboard/allBuyers",
    waitUntilLoaded: (page) => expect(page.getByRole("table")).toBeVisible(),
  },
  "all-sellers": {
    user: "admin",
    path: "/dashboard/allSellers",
    waitUntilLoaded: (page) => expect(page.getByRole("table")).toBeVisible(),
  },
  "reported-items": {
    user: "admin",
    path: "/dashboard/reportedItems",
    waitUntilLoaded: (page) =>
      expect(page.getByRole("table").or(page.getByText("No reports yet"))).toBeVisible(),
  },
};

for (const [name, { user, path, waitUntilLoaded }] of Object.entries(screens)) {
  test(`${name} reserves the space of slow responses, at every width`, { tag: SOAK }, async ({
    market,
    adminUser,
    brand,
    visit,
  }) => {
    const phones = await adminUser.request<{ _id: string }[]>("get", `/categories/${brand._id}?limit=1`);
    const person = user ? await Person.demo(market, user) : null;
    const orders = user === "buyer" ? await person?.orders() : [];
    const paid = orders?.find(({ status }) => status === "paid");
    const address = path
      .replace(":brand", brand._id)
      .replace(":phone", phones[0]?._id ?? "")
      .replace(":order", paid?._id ?? "");
    for (const viewport of SIZES) {
      const page = await visit(person, { viewport });
      await delayResponses(page);
      await page.goto(address);
      await waitUntilLoaded(page);
      await expectNoShift(page, `${name} at ${viewport.width}`);
    }
  });
}

/** Unusual names: one long word, right-to-left text, and characters that are not letters. */
const NAMES = ["W".repeat(90), "هاتف ذكي مستعمل بحالة ممتازة جدا مع علبته الأصلية", "📱✨👩‍👩‍👧‍👦🇧🇩 Phone"];

/** The horizontal overflow of a page, CSS pixels. */
const horizontalOverflow = (page: Page) =>
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
  for (const [user, person] of Object.entries({ buyer, seller })) {
    const page = await visit(person);
    for (const path of paths[user as keyof typeof paths]) {
      await page.setViewportSize({ width: 360, height: 780 });
      await page.goto(path);
      await expect(page.getByText(/W{8}|هاتف|🇧🇩 Phone/).first()).toBeVisible();
      await afterPaint(page);
      expect.soft(await horizontalOverflow(page), `${path} at 360`).toBeLessThanOrEqual(0);
      await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
      expect.soft(await horizontalOverflow(page), `${path} from right to left`).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 640, height: 780 });
      await page.evaluate(() => document.documentElement.style.setProperty("font-size", "32px"));
      expect.soft(await horizontalOverflow(page), `${path} twice as large`).toBeLessThanOrEqual(0);
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
  const phone = await seller.list(unique("Taken"), brand);
  const similar = await seller.list(unique("Similar"), brand);
  const buyer = await people.buyer();
  const page = await visit(buyer, { viewport: { width: 360, height: 780 } });
  const phonePage = await new PhonePage(page).open(phone);
  const dialog = await phonePage.phone(phone.name).book();
  await dialog.phone.fill("+880 1234-777888");
  await finishAnimations(page);
  const [fieldBox, dialogBox] = [await dialog.phone.boundingBox(), await dialog.root.boundingBox()];
  await (await people.buyer("Faster")).book(phone);
  const other = dialog.root.getByRole("button", { name: `Book ${similar.name} instead` });
  await expect(other).toBeVisible();
  await expect(dialog.root.getByRole("button", { name: "Join waitlist" })).toBeVisible();
  await dialog.root.getByRole("button", { name: "Watch this model" }).click();
  await expect(dialog.root.getByRole("button", { name: "Saved" })).toBeFocused();
  // While the connection is lost, its notice and the toast make the dialog lower.
  await expect.poll(() => dialog.phone.boundingBox()).toEqual(fieldBox);
  await expect.poll(() => dialog.root.boundingBox()).toEqual(dialogBox);
  const [search] = await buyer.request<{ name: string; query: string }[]>("get", "/searches");
  expect(search?.name).toBe(`${brand.name} ${phone.name}`);
  expect(new URLSearchParams(search?.query).get("q")).toBe(phone.name);
  await other.click();
  await expect(dialog.phone).toHaveValue("+880 1234-777888");
  await expect(dialog.confirm).toBeFocused();
  await dialog.confirm.click();
  await expect(phonePage.toast("Booking Confirmed")).toBeVisible();
});
