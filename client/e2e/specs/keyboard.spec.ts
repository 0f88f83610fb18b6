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

test("a visitor signs up, books and pays with the keyboard alone", async ({
  market,
  people,
  unique,
  visit,
}) => {
  test.slow();
  const [brand] = (await (await fetch(`${market.url}/categories`)).json()) as [Brand];
  const phone = await (await people.seller()).list(unique("By keyboard"), brand);
  const page = await visit();
  const keyboard = new Keyboard(page);
  const main = page.getByRole("main");

  const home = await new HomePage(page).open();
  await expect(home.advertised.getByRole("article").first()).toBeVisible();
  await keyboard.choose(page.getByRole("link", { name: "Skip to content" }));
  await expect(main).toBeFocused();
  await keyboard.choose(main.getByRole("link", { name: brand.name, exact: true }));

  // The phones of a brand require a login.
  const login = new LoginPage(page);
  await expect(login.submit).toBeVisible();
  await expect(main).toBeFocused();
  await keyboard.choose(main.getByRole("link", { name: "Create an account" }));
  const form = new SignUpPage(page);
  await expect(form.submit).toBeVisible();
  await expect(main).toBeFocused();
  const name = unique("Kamal");
  await keyboard.fill(form.name, name);
  await keyboard.fill(form.email, `${name.replace(" ", ".")}@example.com`);
  await keyboard.fill(form.password, "a good password");
  await keyboard.tabTo(form.ofType("User"));
  await keyboard.press(" ");
  await keyboard.choose(form.submit);

  const category = new CategoryPage(page);
  const card = category.card(phone.name);
  await expect(category.toast("User Created Successfully")).toBeVisible();
  await expect(card.bookNow).toBeVisible();
  await keyboard.expectFocus();
  await expect(category.toast("User Created Successfully")).toBeHidden();
  await keyboard.choose(card.bookNow);
  const booking = new BookingDialog(page);
  await expect(booking.phone).toBeFocused();
  await keyboard.press("Escape");
  await expect(booking.root).toBeHidden();
  await expect(card.bookNow).toBeFocused();
  await keyboard.press("Enter");
  await expect(booking.phone).toBeFocused();
  await keyboard.type("+880 1234-777888");
  await keyboard.fill(booking.location, "Banani, Dhaka");
  await keyboard.choose(booking.confirm);
  await expect(category.toast("Booking Confirmed")).toBeVisible();
  await expect(booking.root).toBeHidden();
  await expect(card.pay).toBeFocused();

  await keyboard.choose(page.getByRole("button", { name: `Account menu of ${name}` }), { back: true });
  await keyboard.choose(category.link("My Orders"));
  const dashboard = new Dashboard(page);
  await expect(dashboard.heading("Dashboard")).toBeVisible();
  await expect(dashboard.row(phone.name)).toBeVisible();
  await keyboard.expectFocus();
  await keyboard.choose(dashboard.row(phone.name).getByRole("link", { name: "Pay" }));

  const payment = new PaymentPage(page);
  await expect(payment.number).toBeVisible();
  await keyboard.fill(payment.number, cards.success);
  // As in the provider's own field, a complete input moves the focus to the next one.
  await expect(payment.expiry).toBeFocused();
  await keyboard.type("12 / 34");
  await expect(payment.cvc).toBeFocused();
  await keyboard.type("123");
  await expect(payment.postal).toBeFocused();
  await keyboard.type("12345");
  await expect(payment.pay).toBeEnabled();
  await keyboard.choose(payment.pay);
  await payment.expectPaid();
  await keyboard.expectFocus();
});

for (const { width, tag } of [
  { width: 360, tag: [] },
  { width: 1280, tag: [SOAK] },
]) {
  test(`a seller signs up and lists a phone with the keyboard alone, ${width} pixels wide`, { tag }, async ({
    brand,
    market,
    unique,
    visit,
  }) => {
    test.slow();
    const page = await visit(null, { viewport: { width, height: 780 } });
    const keyboard = new Keyboard(page);
    const site = new Site(page);
    /** Uses the navigation bar, which is a menu on a narrow screen. */
    const openFromMenu = async (link: string) => {
      const openMenu = page.getByRole("button", { name: "Open menu" });
      if (await openMenu.isVisible()) await keyboard.choose(openMenu, { back: true });
      // The links are before the button that opens the menu.
      await keyboard.choose(site.link(link), { back: true });
    };

    const form = await new SignUpPage(page).open();
    await expect(form.submit).toBeVisible();
    await keyboard.press("Tab", "Enter");
    await expect(page.getByRole("main")).toBeFocused();
    const name = unique("Farida");
    await keyboard.fill(form.name, name);
    await keyboard.fill(form.email, `${name.replace(" ", ".")}@example.com`);
    await keyboard.fill(form.password, "a good password");
    await keyboard.tabTo(form.ofType("User"));
    await keyboard.press("ArrowDown");
    await expect(form.ofType("Seller")).toBeChecked();
    await keyboard.choose(form.submit);
    await expect(site.toast("User Created Successfully")).toBeVisible();
    await keyboard.expectFocus();
    // A toast covers the elements below it while it is visible.
    await expect(site.toast("User Created Successfully")).toBeHidden();

    await openFromMenu("Dashboard");
    const add = new AddProductPage(page);
    await keyboard.choose(add.menu.getByRole("link", { name: "Add A Product" }));
    await expect(add.submit).toBeVisible();
    await keyboard.expectFocus();
    const phone = unique("By keyboard");
    const chosen = page.waitForEvent("filechooser");
    await keyboard.choose(add.field("image"));
    await (await chosen).setFiles(await photograph(market));
    await expect(page.getByRole("list", { name: "Chosen photos" })).toBeVisible();
    await keyboard.fill(add.field("name"), phone);
    await keyboard.fill(add.field("brand"), brand.name);
    await keyboard.fill(add.field("productCondition"), "Good");
    await keyboard.fill(add.field("resalePrice"), "275");
    await keyboard.fill(add.field("originalPrice"), "640");
    await keyboard.fill(add.field("usedTime"), "3 years");
    await keyboard.fill(add.field("description"), "New battery last spring.");
    await keyboard.fill(add.field("location"), "Dhanmondi, Dhaka");
    await keyboard.fill(add.field("phone"), "+880 1234-555666");
    await keyboard.choose(add.submit);
    await expect(add.toast("Product Added Successfully")).toBeVisible();

    const myProducts = new Dashboard(page);
    await expect(myProducts.row(phone)).toContainText("Available");
    await keyboard.expectFocus();
    await expect(add.toast("Product Added Successfully")).toBeHidden();
    await keyboard.choose(myProducts.button(phone, "Delete"));
    const confirmation = new ConfirmDialog(page, "Are you sure you want to delete this product?");
    await expect(confirmation.root.getByRole("button", { name: "Cancel" })).toBeFocused();
    await keyboard.press("Escape");
    await expect(confirmation.root).toBeHidden();
    await expect(myProducts.button(phone, "Delete")).toBeFocused();

    await openFromMenu("Categories");
    await keyboard.choose(page.getByRole("main").getByRole("link", { name: brand.name, exact: true }));
    await expect(new CategoryPage(page).card(phone).root).toBeVisible();
    await keyboard.expectFocus();
  });
}
