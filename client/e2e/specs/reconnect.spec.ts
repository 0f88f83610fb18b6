import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard, HomePage } from "../pages";

/** The console messages about an unavailable server. */
const UNAVAILABLE = /ERR_|WebSocket|Failed to load resource/;

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`changes before and after a ${signal} of the server are on the open screens`, async ({
    ownMarket,
    unique,
    visit,
    markPage,
    problems,
  }) => {
    problems.expect(UNAVAILABLE);
    const { market, adminUser, brand, people } = await ownMarket();
    const seller = await people.verifiedSeller();
    const buyer = await people.buyer();
    const before = await seller.list(unique("Before"), brand);
    const after = await seller.list(unique("After"), brand);

    const watcherPage = await visit(await people.buyer());
    const category = await new CategoryPage(watcherPage).open(brand);
    await expect(category.card(after.name).bookNow).toBeVisible();
    const myProducts = await new Dashboard(await visit(seller)).open("myProducts");
    await expect(myProducts.row(after.name)).toContainText("Available");
    await seller.request("put", `/products/advertise/${after._id}`);
    const home = await new HomePage(await visit(null, { baseURL: market.url })).open();
    await expect(home.item(after.name)).toBeVisible();
    const reports = await new Dashboard(await visit(adminUser)).open("reportedItems");
    await expect(reports.page.getByText("No reports yet")).toBeVisible();
    for (const { page } of [category, myProducts, home, reports]) await markPage(page);
    await expect(category.connectionBanner).toBeHidden();

    await buyer.book(before);
    const code = await market.stop(signal);
    if (signal === "SIGTERM") expect(code).toBe(0);
    await expect(category.connectionBanner).toBeVisible();
    await market.start();
    // The client reconnects with backoff. The browser's online event makes it reconnect at once.
    await buyer.book(after);
    await buyer.report(before, "It never came back.");
    const late = await seller.list(unique("Late"), brand);

    for (const phone of [before, after]) {
      await expect(category.card(phone.name).booked).toBeVisible();
      await expect(myProducts.row(phone.name)).toContainText("Sold");
    }
    await expect(category.card(late.name).bookNow).toBeVisible();
    await expect(home.item(after.name)).toBeHidden();
    await expect(reports.row(before.name)).toContainText("It never came back.");
    await expect(category.connectionBanner).toBeHidden();
    await expect(category.cards).toHaveCount(3);

    // The screen is live again.
    await buyer.book(late);
    await expect(category.card(late.name).booked).toBeVisible();
  });
}

test("changes during an offline time are on the screen when the browser is online again", {
  tag: "@nodes",
}, async ({ brand, people, unique, visit, markPage, problems }) => {
  problems.expect(UNAVAILABLE);
  const seller = await people.seller();
  const phone = await seller.list(unique("Offline"), brand);
  const page = await visit(await people.buyer());
  const category = await new CategoryPage(page).open(brand);
  await expect(category.card(phone.name).bookNow).toBeVisible();
  await markPage(page);

  await page.context().setOffline(true);
  await expect(category.connectionBanner).toBeVisible();
  await (await people.buyer()).book(phone);
  await page.context().setOffline(false);
  await expect(category.card(phone.name).booked).toBeVisible();
  await expect(category.connectionBanner).toBeHidden();
});

test("a screen whose file cannot be loaded keeps the one before it, says so, and is loaded when the browser is online", async ({
  visit,
  problems,
}) => {
  problems.expect(UNAVAILABLE);
  problems.expect(/dynamically imported module/);
  const page = await visit();
  await page.goto("/");
  const home = page.getByRole("region", { name: "Advertised Items" });
  await expect(home).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Blog" }).click();
  const messages = page.getByRole("status", { name: "Messages" });
  const notice = messages.getByText("The page could not be loaded.");
  await expect(notice).toBeVisible();
  await messages.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toBeVisible();
  await expect(home).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText("Coming Soon...")).toBeVisible();
  await expect(notice).toBeHidden();
});

/** The files of what is not a screen. */
const DECORATIONS = [
  "StatusOverlays",
  "HomeRest",
  "PhoneIllustration",
  "AccountMenu",
  "Bell",
  "LiveConnection",
];

test("a missing file of a decoration leaves the screen as it is, and nothing says so", async ({
  people,
  visit,
  problems,
}) => {
  problems.expect(UNAVAILABLE);
  const page = await visit(await people.buyer());
  // Home shows the illustration where there are no advertised phones.
  await page.route(/\/products\/advertised/, (route) => route.fulfill({ json: [] }));
  for (const name of DECORATIONS) {
    const path = new RegExp(`/assets/${name}-`);
    let requests = 0;
    await page.route(path, (route) => {
      requests += 1;
      return route.abort();
    });
    await page.goto("/");
    await expect.poll(() => requests, { message: name }).toBeGreaterThan(1);
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeHidden();
    await expect(page.getByRole("link", { name: "Get Started" })).toBeVisible();
    await expect(page.getByText("could not be loaded", { exact: false })).toBeHidden();
    await page.unroute(path);
  }
});
