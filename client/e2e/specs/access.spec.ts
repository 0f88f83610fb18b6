import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard, HomePage, LoginPage, Site } from "../pages";

test("View on Home leads a visitor to the login and then to the brand", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.verifiedSeller();
  const phone = await seller.list(unique("In view"), brand);
  await seller.request("put", `/products/advertise/${phone._id}`);
  const page = await visit();
  const home = await new HomePage(page).open();
  const category = await home.view(phone.name);
  await expect(page).toHaveURL(/\/login$/);
  await new LoginPage(page).signIn(await people.buyer());
  await expect(category.card(phone.name).bookNow).toBeVisible();
});

/** Leads a buyer to a seller's screen, where one press makes them a seller. */
const START = "Start selling";
/** The screens of each role, as the side menu names them, by their paths. */
const screens = {
  buyer: { myOrders: "My Orders", messages: "Messages", addProduct: START },
  seller: {
    addProduct: "Add A Product",
    myProducts: "My Products",
    earnings: "Earnings",
    messages: "Messages",
    myOrders: "My Orders",
  },
  admin: {
    orders: "Orders",
    cases: "Cases",
    reportedItems: "Reported Items",
    allSellers: "All Sellers",
    allBuyers: "All Buyers",
    auditTrail: "Audit Trail",
  },
};
const roles = ["buyer", "seller", "admin"] as const;

/** Every screen that a visitor may not see. */
const protectedPaths = [
  "/dashboard/payment/nowhere",
  "/dashboard/order/nowhere",
  "/dashboard",
  ...roles.flatMap((role) => Object.keys(screens[role])).map((path) => `/dashboard/${path}`),
];
/** The access token in the storage of this browser. */
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem("accessToken"));

test("a visitor who opens a protected screen logs in, sees it, and signs out in every tab", async ({
  brand,
  people,
  visit,
  markPage,
}) => {
  const buyer = await people.buyer();
  const page = await visit();
  for (const path of [...protectedPaths, `/category/${brand._id}`]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
  }
  await markPage(page);
  const login = new LoginPage(page);
  await login.signIn(buyer);
  await expect(login.toast("SignIn Successful")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/category/${brand._id}$`));
  await expect(login.heading("All Products")).toBeVisible();

  const second = new Site(await page.context().newPage());
  await second.page.goto("/blog");
  await second.signOut.click();
  for (const tab of [second.page, page]) {
    await expect(tab).toHaveURL(/\/login$/);
    await expect(new Site(tab).link("Dashboard")).toBeHidden();
  }
  expect(await storedToken(page)).toBeNull();
  await second.page.goto("/dashboard");
  await expect(second.page).toHaveURL(/\/login$/);

  // The login leads to Home if no screen was requested.
  await second.page.goto("/blog");
  const again = await new LoginPage(second.page).open();
  await again.signIn(buyer);
  await expect(again.toast("SignIn Successful")).toBeVisible();
  await expect(again.page).toHaveURL(/:\d+\/$/);
  expect(await storedToken(again.page)).not.toBeNull();
});

test("the dashboard offers and opens the screens of the role", async ({ people, visit }) => {
  for (const role of roles) {
    const page = await visit(await people[role]());
    const dashboard = await new Dashboard(page).open();
    const screen = page.getByRole("main").getByRole("heading", { level: 2 });
    await expect(dashboard.heading("Dashboard")).toBeVisible();
    await expect(dashboard.menu.getByRole("link")).toHaveText(Object.values(screens[role]));
    for (const [path, name] of Object.entries(screens[role])) {
      await dashboard.choose(name);
      await expect(page).toHaveURL(`/dashboard/${path}`);
      await expect(dashboard.menu.getByRole("link", { name, exact: true })).toHaveAttribute(
        "aria-current",
        "page",
      );
      await expect(name === START ? page.getByRole("button", { name: START }) : screen).toBeVisible();
    }
    // guards.test.tsx opens all screens of the other roles.
    for (const other of roles.filter((another) => another !== role)) {
      const path = Object.keys(screens[other]).find((one) => !(one in screens[role]));
      if (!path) continue; // a seller has a buyer's screens
      await dashboard.open(path);
      await expect(page.getByText(/^This page is for /)).toBeVisible();
      await expect(screen).toBeHidden();
    }
  }
});

test("a response with status 401 or 403 to a list request logs out", async ({ people, visit, problems }) => {
  problems.expect(/status of 40[13] /);
  for (const { list, status, role, path } of [
    { list: "/bookings", status: 401, role: "buyer", path: "/dashboard/myOrders" },
    { list: "/products", status: 403, role: "seller", path: "/dashboard/myProducts" },
    { list: "/products/advertised", status: 401, role: "buyer", path: "/" },
  ] as const) {
    const page = await visit(await people[role]());
    await page.goto("/blog");
    const site = new Site(page);
    await expect(site.signOut).toBeVisible();
    await page.route(
      (url) => url.pathname === list,
      (route) => route.fulfill({ status, json: { message: "No", code: "no" } }),
    );
    await page.goto(path);
    await expect.poll(() => storedToken(page)).toBeNull();
    await expect(site.signOut).toBeHidden();
    if (path !== "/") await expect(page).toHaveURL(/\/login$/);
  }
});

test("a stored token that is no longer valid leads to the login", async ({ people, visit, problems }) => {
  problems.expect(/status of 40[13] /, /WebSocket/);
  const page = await visit(await people.buyer());
  await page.goto("/blog");
  await expect(new Site(page).signOut).toBeVisible();
  await page.evaluate(() => localStorage.setItem("accessToken", "not.a.token"));
  await page.goto("/dashboard/myOrders");
  await expect(page).toHaveURL(/\/login$/);
  expect(await storedToken(page)).toBeNull();
});

test("a session that was ended on another device ends with the next protected list", async ({
  people,
  visit,
  markPage,
  problems,
}) => {
  problems.expect(/status of 40[13] /, /WebSocket/);
  const buyer = await people.buyer();
  const page = await visit(buyer);
  const site = new Site(page);
  await page.goto("/blog");
  await expect(site.signOut).toBeVisible();
  await markPage(page);
  await buyer.endSession();
  // Home requests the advertised phones with an invalid token.
  await site.link("Home").click();
  await expect(site.signOut).toBeHidden();
  await expect(site.link("Login")).toBeVisible();
  expect(await storedToken(page)).toBeNull();
});

test("the page of an unknown brand shows that there is no such brand", async ({
  people,
  visit,
  problems,
}) => {
  problems.expect(/status of 404 .*\/categories\//);
  const page = await visit(await people.buyer());
  await new CategoryPage(page).open({ _id: "nowhere" });
  await expect(page.getByRole("alert")).toContainText("There is no such brand.");
  await page.getByRole("main").getByRole("link", { name: "Search all phones" }).click();
  await expect(page).toHaveURL("/search");
});
