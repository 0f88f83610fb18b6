import { expect, test } from "../fixtures";
import { HomePage, Site } from "../pages";

test("the navigation bar and the footer lead to every public screen", async ({ visit, people }) => {
  const page = await visit();
  const site = new Site(page);
  await page.goto("/");
  for (const [name, path] of Object.entries({
    Home: "/",
    Categories: "/categories",
    Blog: "/blog",
    "Contact Us": "/contact",
    Login: "/login",
    "Sign Up": "/signUp",
  })) {
    await expect(site.link(name)).toHaveAttribute("href", path);
  }
  await expect(site.link("Dashboard")).toBeHidden();
  await expect(site.footer).toContainText("Sell and Buy Used Phones");
  await expect(site.footer).toContainText("Copyright 2022 - All right reserved by SecondRing");
  for (const service of ["Selling", "Buying", "Marketing", "Advertisement"]) {
    await expect(site.footer.getByText(service, { exact: true })).toBeVisible();
    await expect(site.footer.getByRole("link", { name: service })).toHaveCount(0);
  }
  for (const path of ["/", "/categories", "/blog", "/contact"]) {
    await expect(site.footer.locator(`a[href="${path}"]`)).toBeVisible();
  }

  const buyer = await people.buyer();
  const signedIn = new Site(await visit(buyer));
  await signedIn.page.goto("/");
  await expect(signedIn.link("Dashboard")).toHaveAttribute("href", "/dashboard");
  await expect(signedIn.signOut).toBeVisible();
  await expect(signedIn.nav.getByRole("img")).toBeVisible();
  await expect(signedIn.link("Login")).toBeHidden();
});

test("a visitor reads Home, the brands and the blog, and sees the not-found page at an unknown path", async ({
  visit,
  market,
  problems,
}) => {
  problems.expect(/status of 404 /);
  const page = await visit();
  const home = await new HomePage(page).open();
  await expect(home.getStarted).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("used mobile phone");
  const brands = page.getByRole("region", { name: "Smartphone Brands" });
  await expect(brands.locator('a[href^="/category/"]:has(img)')).toHaveCount(6);
  await expect(home.advertised.getByRole("article").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeVisible();
  await home.viewAllBrands.click();
  await expect(page).toHaveURL(/\/categories$/);
  await expect(home.heading("All Smartphone Brands")).toBeVisible();
  await expect(page.getByRole("main").getByRole("link")).toHaveCount(12);

  // The screen and the list have the same URL. The Accept header decides which one is served.
  await page.reload();
  await expect(home.heading("All Smartphone Brands")).toBeVisible();
  const list = await fetch(`${market.url}/categories`);
  expect(((await list.json()) as unknown[]).length).toBe(6);

  await page.goto("/blog");
  await expect(page.getByText("Coming Soon...", { exact: true })).toBeVisible();

  for (const path of ["/no/such/screen", "/dashboard/nope"]) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    for (const text of [
      "The route you are searching is not available!!!",
      "Please try for a valid route!!!",
    ]) {
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    }
  }
});

test("a screen that fails shows the error page with links to leave it", async ({
  people,
  visit,
  problems,
}) => {
  problems.expect(/./);
  const page = await visit(await people.buyer());
  // The script of the screen fails to load, as after a deployment.
  await page.route(/assets\/(Blog|MyOrders)-.*\.js/, (route) => route.abort());
  await page.goto("/blog");
  const site = new Site(page);
  await expect(page.getByText("Something went wrong", { exact: true })).toBeVisible();
  await expect(page.getByRole("alert").getByText(/Failed to fetch/)).toBeVisible();
  await page.getByRole("alert").getByRole("button", { name: "SignOut", exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(site.link("Login")).toBeVisible();
});

test("the cards have 1 to 4 columns and appear within 2000 to 2500 ms", async ({ brand, people, visit }) => {
  const page = await visit(await people.buyer(), { reducedMotion: "no-preference" });
  await page.goto(`/category/${brand._id}`);
  const card = page.getByRole("article").first();
  await expect(card).toBeVisible();
  for (const [width, columns] of [
    [320, 1],
    [360, 2],
    [768, 3],
    [1366, 3],
    [1536, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const columnCount = await page
      .getByRole("article")
      .evaluateAll(
        (cards) => new Set(cards.map((card) => Math.round(card.getBoundingClientRect().left))).size,
      );
    expect(columnCount).toBe(columns);
  }
  const photograph = card.getByRole("img");
  const seconds = await photograph.evaluate((image) =>
    Number.parseFloat(getComputedStyle(image).animationDuration),
  );
  expect(seconds).toBeGreaterThanOrEqual(2);
  expect(seconds).toBeLessThanOrEqual(2.5);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const isStill = await photograph.evaluate((image) => {
    const { animationName, animationDuration } = getComputedStyle(image);
    return animationName === "none" || Number.parseFloat(animationDuration) < 0.01;
  });
  expect(isStill).toBe(true);
});

test("the keyboard skips to the content, and a new screen starts at its top", async ({ visit }) => {
  const page = await visit();
  await page.goto("/");
  await new Site(page).waitUntilInteractive();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.evaluate(() => window.scrollTo(0, 1500));
  await new Site(page).link("Blog").click();
  await expect(page.getByText("Coming Soon...")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await expect(page).toHaveTitle(/Blog/);
});
