import { expect, test } from "../fixtures";
import {
  AddProductPage,
  BookingDialog,
  CategoryPage,
  ConfirmDialog,
  cards,
  Dashboard,
  HomePage,
  LoginPage,
  PaymentPage,
  SignUpPage,
  Site,
} from "../pages";
import { Keyboard } from "../support/keyboard";
import type { Brand } from "../support/person";
import { SOAK } from "../support/soak";
import { photograph } from "../support/testImage";

/** These tests use the keyboard only. */
test("from the landing page to a paid order with the keyboard alone", async ({
  market,
  people,
  unique,
  visit,
}) => {
  test.slow();
  const [brand] = (await (await fetch(`${market.url}/categories`)).json()) as [Brand];
  const phone = await (await people.seller()).list(unique("By keyboard"), brand);
  const page = await visit(null, { reducedMotion: "reduce" });
  const keys = new Keyboard(page);
  const main = page.getByRole("main");

  const home = await new HomePage(page).open();
  await expect(home.advertised.getByRole("article").first()).toBeVisible();
  await keys.choose(page.getByRole("link", { name: "Skip to content" }));
  await expect(main).toBeFocused();
  await keys.choose(main.getByRole("link", { name: brand.name, exact: true }));

  // The phones of a brand require a login.
  const login = new LoginPage(page);
  await expect(login.submit).toBeVisible();
  await expect(main).toBeFocused();
  await keys.choose(main.getByRole("link", { name: "Create an account" }));
  const form = new SignUpPage(page);
  await expect(form.submit).toBeVisible();
  await expect(main).toBeFocused();
  const name = unique("Kamal");
  await keys.fill(form.name, name);
  await keys.fill(form.email, `${name.replace(" ", ".")}@example.com`);
  await keys.fill(form.password, "a good password");
  await keys.fill(form.accountType, "User");
  await keys.choose(form.submit);

  const category = new CategoryPage(page);
  const card = category.card(phone.name);
  await expect(card.bookNow).toBeVisible();
  await expect(category.toast("User Created Successfully")).toBeVisible();
  await keys.expectFocus();
  await expect(category.toast("User Created Successfully")).toBeHidden();
  await keys.choose(card.bookNow);
  const booking = new BookingDialog(page);
  await expect(booking.phone).toBeFocused();
  await keys.press("Escape");
  await expect(booking.root).toBeHidden();
  await expect(card.bookNow).toBeFocused();
  await keys.press("Enter");
  await expect(booking.phone).toBeFocused();
  await keys.type("+880 1234-777888");
  await keys.fill(booking.location, "Banani, Dhaka");
  await keys.choose(booking.confirm);
  await expect(category.toast("Booking Confirmed")).toBeVisible();
  await expect(booking.root).toBeHidden();
  expect(await card.root.evaluate((one) => one.contains(document.activeElement))).toBe(true);

  await keys.choose(page.getByRole("button", { name: `Account menu of ${name}` }), { back: true });
  await keys.choose(category.link("My Orders"));
  const dashboard = new Dashboard(page);
  await expect(dashboard.heading("Dashboard")).toBeVisible();
  await expect(dashboard.row(phone.name)).toBeVisible();
  await keys.expectFocus();
  await keys.choose(dashboard.row(phone.name).getByRole("link", { name: "Pay" }));

  const payment = new PaymentPage(page);
  await expect(payment.number).toBeVisible();
  await keys.fill(payment.number, cards.success);
  // As in the provider's own field, a complete input moves the focus to the next one.
  await expect(payment.expiry).toBeFocused();
  await keys.type("12 / 34");
  await expect(payment.cvc).toBeFocused();
  await keys.type("123");
  await expect(payment.postal).toBeFocused();
  await keys.type("12345");
  await expect(payment.pay).toBeEnabled();
  await keys.choose(payment.pay);
  await payment.expectPaid();
  await keys.expectFocus();
});

for (const { width, tag } of [
  { width: 360, tag: [] },
  { width: 1280, tag: [SOAK] },
]) {
  test(`from sign-up to a listed phone with the keyboard alone, ${width} wide`, { tag }, async ({
    brand,
    market,
    unique,
    visit,
  }) => {
    test.slow();
    const page = await visit(null, { reducedMotion: "reduce", viewport: { width, height: 780 } });
    const keys = new Keyboard(page);
    const site = new Site(page);
    /** Uses the navigation bar, which is a menu on a narrow screen. */
    const byMenu = async (link: string) => {
      const unfold = page.getByRole("button", { name: "Open menu" });
      if (await unfold.isVisible()) await keys.choose(unfold, { back: true });
      // The links are before the button that opens the menu.
      await keys.choose(site.link(link), { back: true });
    };

    const form = await new SignUpPage(page).open();
    await expect(form.submit).toBeVisible();
    await keys.press("Tab", "Enter");
    await expect(page.getByRole("main")).toBeFocused();
    const name = unique("Farida");
    await keys.fill(form.name, name);
    await keys.fill(form.email, `${name.replace(" ", ".")}@example.com`);
    await keys.fill(form.password, "a good password");
    await keys.fill(form.accountType, "Seller");
    await keys.choose(form.submit);
    await expect(site.toast("User Created Successfully")).toBeVisible();
    await keys.expectFocus();
    // A toast covers the elements below it while it is visible.
    await expect(site.toast("User Created Successfully")).toBeHidden();

    await byMenu("Dashboard");
    const add = new AddProductPage(page);
    await keys.choose(add.menu.getByRole("link", { name: "Add A Product" }));
    await expect(add.submit).toBeVisible();
    await keys.expectFocus();
    const phone = unique("By keyboard");
    await keys.fill(add.field("name"), phone);
    await keys.fill(add.field("brand"), brand.name);
    await keys.fill(add.field("originalPrice"), "640");
    await keys.fill(add.field("resalePrice"), "275");
    await keys.fill(add.field("productCondition"), "Good");
    await keys.fill(add.field("usedTime"), "3 years");
    await keys.fill(add.field("description"), "New battery last spring.");
    const chosen = page.waitForEvent("filechooser");
    await keys.choose(add.field("image"));
    await (await chosen).setFiles(await photograph(market));
    await expect(page.getByRole("list", { name: "Chosen photos" })).toBeVisible();
    await keys.fill(add.field("location"), "Dhanmondi, Dhaka");
    await keys.fill(add.field("phone"), "+880 1234-555666");
    await keys.choose(add.submit);
    await expect(add.toast("Product Added Successfully")).toBeVisible();

    const shelf = new Dashboard(page);
    await expect(shelf.row(phone)).toContainText("Available");
    await keys.expectFocus();
    await expect(add.toast("Product Added Successfully")).toBeHidden();
    await keys.choose(shelf.button(phone, "Delete"));
    const question = new ConfirmDialog(page, "Are you sure you want to delete this product?");
    await expect(question.root.getByRole("button", { name: "Cancel" })).toBeFocused();
    await keys.press("Escape");
    await expect(question.root).toBeHidden();
    await expect(shelf.button(phone, "Delete")).toBeFocused();

    await byMenu("Categories");
    await keys.choose(page.getByRole("main").getByRole("link", { name: brand.name, exact: true }));
    await expect(new CategoryPage(page).card(phone).root).toBeVisible();
    await keys.expectFocus();
  });
}
