import { expect, test } from "../fixtures";
import { AddProductPage, CategoryPage, Dashboard, SignUpPage } from "../pages";
import { photograph } from "../support/testImage";

test("a phone is listed with a photo, found and booked while other screens are open", {
  tag: ["@nodes", "@translated"],
}, async ({ market, brand, people, unique, visit, markPage }) => {
  const seller = { name: unique("Farida"), email: `${unique("farida").replace(" ", ".")}@example.com` };
  const buyer = { name: unique("Kamal"), email: `${unique("kamal").replace(" ", ".")}@example.com` };
  const phone = unique("Pocket phone");
  const password = "a good password";

  const sellerPage = await visit();
  const sellerForm = await new SignUpPage(sellerPage).open();
  await sellerForm.signUp({ ...seller, password, accountType: "Seller" });
  await expect(sellerForm.toast("User Created Successfully")).toBeVisible();

  const form = await new AddProductPage(sellerPage).open();
  await form.add({
    name: phone,
    brand: brand.name,
    originalPrice: "640",
    resalePrice: "275",
    productCondition: "Good",
    usedTime: "3 years",
    description: "New battery last spring.",
    location: "Dhanmondi, Dhaka",
    phone: "+880 1234-555666",
    selling_post_date: "2026-11-20",
    image: await photograph(market),
  });
  await expect(form.toast("Product Added Successfully")).toBeVisible();

  const myProducts = new Dashboard(sellerPage);
  await expect(myProducts.heading("My Products: 1")).toBeVisible();
  await myProducts.expectColumns("Product-Name", "Price", "Sales-status", "Advertise", "Delete");
  await expect(myProducts.row(phone)).toContainText("275");
  await expect(myProducts.row(phone)).toContainText("Available");
  await markPage(sellerPage);

  const watcherPage = await visit(await people.buyer());
  const watchedCard = (await new CategoryPage(watcherPage).open(brand)).card(phone);
  await expect(watchedCard.bookNow).toBeVisible();
  const picture = watchedCard.root.getByRole("img");
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100);
  await markPage(watcherPage);

  const buyerPage = await visit();
  const buyerForm = await new SignUpPage(buyerPage).open();
  await buyerForm.signUp({ ...buyer, password, accountType: "User" });
  await expect(buyerForm.signOut).toBeVisible();
  await buyerForm.link("Categories").click();
  await expect(buyerForm.heading("All Smartphone Brands")).toBeVisible();
  const brandCard = buyerPage.getByRole("main").getByRole("link", { name: brand.name, exact: true });
  await expect(brandCard).toHaveAccessibleDescription(/^[\d,]+ available from \$[\d,]+$/);
  await brandCard.click();
  const category = new CategoryPage(buyerPage);
  await expect(category.heading("All Products")).toBeVisible();
  const dialog = await category.card(phone).book();
  await expect(dialog.root.locator("[name=userName]")).toHaveValue(buyer.name);
  await expect(dialog.root.locator("[name=email]")).toHaveValue(buyer.email);
  await expect(dialog.root.locator("[name=productName]")).toHaveValue(phone);
  await expect(dialog.root.locator("[name=price]")).toHaveValue("275");
  for (const name of ["userName", "email", "productName", "price"]) {
    await expect(dialog.root.locator(`[name=${name}]`)).not.toBeEditable();
  }
  await dialog.book("+880 1234-777888", "Banani, Dhaka");
  await expect(category.toast("Booking Confirmed")).toBeVisible();
  await expect(dialog.root).toBeHidden();

  await expect(watchedCard.booked).toBeVisible();
  await expect(watchedCard.bookNow).toBeHidden();
  await expect(myProducts.row(phone)).toContainText("Sold");

  await category.link("Dashboard").click();
  const orders = new Dashboard(buyerPage);
  await orders.choose("My Orders");
  await orders.expectColumns("image", "Product-Name", "Brand", "Price", "Payment");
  await expect(orders.row(phone)).toContainText(brand.name);
  await expect(orders.row(phone)).toContainText("275");
  await expect(orders.row(phone).getByText("Pay", { exact: true })).toBeVisible();
});

test("one of two buyers of the same phone books it, and the other sees the reason", {
  tag: "@nodes",
}, async ({ brand, people, unique, visit, problems }) => {
  problems.expect(/status of 409 .*\/bookings$/);
  const seller = await people.seller();
  const phone = await seller.list(unique("Wanted"), brand);
  const page = await visit(await people.buyer());
  // The live connection is blocked, so that the second buyer does not see the booking in time.
  await page.routeWebSocket(/\/live$/, () => undefined);
  const category = await new CategoryPage(page).open(brand);
  const card = category.card(phone.name);
  const dialog = await card.book();
  await (await people.buyer("Faster")).book(phone);
  await dialog.book("+880 1234-777888");
  await expect(category.toast("This phone has just been booked")).toBeVisible();
  // The rejection shows that the list is outdated.
  await expect(dialog.root.getByRole("button", { name: "Join waitlist" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card.booked).toBeVisible();
});

test("an open booking form shows that another buyer has booked the phone, and keeps its input", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("Booked elsewhere"), brand);
  const page = await visit(await people.buyer());
  const dialog = await (await new CategoryPage(page).open(brand)).card(phone.name).book();
  await dialog.phone.fill("+880 1234-777888");
  await (await people.buyer("Faster")).book(phone);
  await expect(dialog.root.getByText("This phone has just been booked", { exact: false })).toBeVisible();
  await expect(dialog.phone).toHaveValue("+880 1234-777888");
});

test("a new phone appears on an open brand page, changes its price there, and disappears when it is deleted", {
  tag: "@translated",
}, async ({ brand, people, unique, visit, markPage }) => {
  const seller = await people.seller();
  const page = await visit(await people.buyer());
  const category = await new CategoryPage(page).open(brand);
  await expect(category.heading("All Products")).toBeVisible();
  await expect(category.cards.first()).toBeVisible();
  await markPage(page);

  const phone = await seller.list(unique("New"), brand);
  await expect(category.card(phone.name).bookNow).toBeVisible();
  await expect(category.card(phone.name).root).toContainText("$320");
  await seller.request("patch", `/products/${phone._id}`, { resalePrice: 250 });
  await expect(category.card(phone.name).root).toContainText("$250");

  const myProducts = await new Dashboard(await visit(seller)).open("myProducts");
  await myProducts.remove(phone.name, "Are you sure you want to delete this product?");
  await expect(myProducts.toast("Deleted Successfully")).toBeVisible();
  await expect(myProducts.row(phone.name)).toBeHidden();
  await expect(category.card(phone.name).root).toBeHidden();
});
