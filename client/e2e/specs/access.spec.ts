import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard, HomePage, LoginPage, Site } from "../pages";
import type { Person } from "../support/person";

test("login returns to the page that was asked for", async ({ brand, people, visit, stay }) => {
  const buyer = await people.buyer();
  const page = await visit();
  await page.goto(`/category/${brand._id}`);
  await expect(page).toHaveURL(/\/login$/);
  await stay(page);
  const login = new LoginPage(page);
  await login.signIn(buyer);
  await expect(login.toast("SignIn Successful")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/category/${brand._id}$`));
  await expect(login.heading("All Products")).toBeVisible();
});

test("View on Home leads a visitor over the login to the brand", async ({ brand, people, unique, visit }) => {
  const seller = await people.verifiedSeller();
  const phone = await seller.list(unique("In view"), brand);
  await seller.ask("put", `/products/advertise/${phone._id}`);
  const page = await visit();
  const home = await new HomePage(page).open();
  const category = await home.view(phone.name);
  await expect(page).toHaveURL(/\/login$/);
  await new LoginPage(page).signIn(await people.buyer());
  await expect(category.card(phone.name).bookNow).toBeVisible();
});

test("login leads Home when nothing else was asked for", async ({ people, visit }) => {
  const login = await new LoginPage(await visit()).open();
  await login.signIn(await people.buyer());
  await expect(login.page).toHaveURL(/:\d+\/$/);
  await expect(login.toast("SignIn Successful")).toBeVisible();
  expect(await login.page.evaluate(() => localStorage.getItem("accessToken"))).not.toBeNull();
});

test("SignOut forgets the token, ends the session and goes to /login", async ({ people, visit }) => {
  const page = await visit(await people.buyer());
  await page.goto("/dashboard");
  const site = new Site(page);
  await expect(site.heading("Dashboard")).toBeVisible();
  await site.signOut.click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(site.link("Dashboard")).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login$/);
});

const menus = {
  buyer: ["My Orders"],
  seller: ["Add A Product", "My Products"],
  admin: ["All Buyers", "All Sellers", "Reported Items", "Audit Trail"],
};
const routes: Record<string, keyof typeof menus> = {
  myOrders: "buyer",
  addProduct: "seller",
  myProducts: "seller",
  allBuyers: "admin",
  allSellers: "admin",
  reportedItems: "admin",
  auditTrail: "admin",
};

for (const role of ["buyer", "seller", "admin"] as const) {
  test(`the dashboard of a ${role} offers and opens what a ${role} may do`, async ({ people, visit }) => {
    const person: Person = await people[role]();
    const page = await visit(person);
    const dashboard = await new Dashboard(page).open();
    await expect(dashboard.heading("Dashboard")).toBeVisible();
    await expect(dashboard.menu.getByRole("link")).toHaveText(menus[role]);
    for (const [path, owner] of Object.entries(routes)) {
      await dashboard.open(path);
      const screen = page.getByRole("main").getByRole("heading", { level: 2 });
      const refusal = page.getByText(/^This page is for /);
      await expect(owner === role ? screen : refusal).toBeVisible();
      await expect(owner === role ? refusal : screen).toBeHidden();
    }
  });
}

test("every guarded route sends a visitor to the login", async ({ brand, visit }) => {
  const page = await visit();
  const guarded = ["/dashboard", `/category/${brand._id}`, "/dashboard/payment/nowhere"];
  for (const path of [...guarded, ...Object.keys(routes).map((route) => `/dashboard/${route}`)]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login$/);
  }
});

for (const { list, status, role, path } of [
  { list: "/bookings", status: 401, role: "buyer", path: "/dashboard/myOrders" },
  { list: "/products", status: 403, role: "seller", path: "/dashboard/myProducts" },
  { list: "/products/advertised", status: 401, role: "buyer", path: "/" },
] as const) {
  test(`${status} on the list ${list} logs out`, async ({ people, visit, problems }) => {
    problems.expect(/status of 40[13] /);
    const page = await visit(await people[role]());
    await page.goto("/blog");
    const site = new Site(page);
    await expect(site.signOut).toBeVisible();
    await page.route(
      (url) => url.pathname === list,
      (route) => route.fulfill({ status, json: { message: "No", code: "no" } }),
    );
    await page.goto(path);
    // The still first screen has no such button either, so what is kept is waited for.
    await expect.poll(() => page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
    await expect(site.signOut).toBeHidden();
    if (path !== "/") await expect(page).toHaveURL(/\/login$/);
  });
}

test("a stored token that is no good any more leads to the login", async ({ people, visit, problems }) => {
  problems.expect(/status of 40[13] /, /WebSocket/);
  const page = await visit(await people.buyer());
  await page.goto("/blog");
  await expect(new Site(page).signOut).toBeVisible();
  await page.evaluate(() => localStorage.setItem("accessToken", "not.a.token"));
  await page.goto("/dashboard/myOrders");
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
});

test("a session that ended elsewhere ends here with the next protected list", async ({
  people,
  visit,
  stay,
  problems,
}) => {
  problems.expect(/status of 40[13] /, /WebSocket/);
  const buyer = await people.buyer();
  const page = await visit(buyer);
  const site = new Site(page);
  await page.goto("/blog");
  await expect(site.signOut).toBeVisible();
  await stay(page);
  await buyer.endSession();
  // Home asks for the advertised phones with a token that is no good any more.
  await site.link("Home").click();
  await expect(site.signOut).toBeHidden();
  await expect(site.link("Login")).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
});

test("a brand that is not there says so", async ({ people, visit, problems }) => {
  problems.expect(/status of 404 .*\/categories\//);
  const page = await visit(await people.buyer());
  await new CategoryPage(page).open({ _id: "nowhere" });
  await expect(page.getByRole("alert")).toContainText("There is no such brand.");
  await page.getByRole("main").getByRole("link", { name: "Search all phones" }).click();
  await expect(page).toHaveURL("/search");
});

test("signing out in one tab signs out the other", async ({ people, visit, stay }) => {
  const first = await visit(await people.buyer());
  await first.goto("/dashboard");
  const second = await first.context().newPage();
  await second.goto("/blog");
  await expect(new Site(second).signOut).toBeVisible();
  await stay(first);
  await new Site(second).signOut.click();
  await expect(second).toHaveURL(/\/login$/);
  await expect(first).toHaveURL(/\/login$/);
});
