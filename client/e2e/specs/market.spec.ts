import { expect, test } from "../fixtures";
import { AddProductPage, CategoryPage, Dashboard, SignUpPage } from "../pages";
import { photograph } from "../support/testImage";

test("a phone is listed with a photo, found and booked while others watch", { tag: "@nodes" }, async ({
  market,
  brand,
  people,
  unique,
  visit,
  markPage,
}) => {
  const seller = { name: unique("Farida"), email: `${unique("farida").replace(" ", ".")}@example.com` };
  const buyer = { name: unique("Kamal"), email: `${unique("kamal").replace(" ", ".")}@example.com` };
  const phone = unique("Pocket phone");
  const password = "a good password";

  const selling = await visit();
  const sellersForm = await new SignUpPage(selling).open();
  await sellersForm.signUp({ ...seller, password, accountType: "Seller" });
  await expect(sellersForm.toast("User Created Successfully")).toBeVisible();

  const form = await new AddProductPage(selling).open();
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

  const shelf = new Dashboard(selling);
  await expect(shelf.heading("My Products: 1")).toBeVisible();
  await shelf.expectColumns("Product-Name", "Price", "Sales-status", "Advertise", "Delete");
  await expect(shelf.row(phone)).toContainText("275");
  await expect(shelf.row(phone)).toContainText("Available");
  await markPage(selling);

  const watching = await visit(await people.buyer());
  const watched = (await new CategoryPage(watching).open(brand)).card(phone);
  await expect(watched.bookNow).toBeVisible();
  const picture = watched.root.getByRole("img");
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100);
  await markPage(watching);

  const buying = await visit();
  const buyersForm = await new SignUpPage(buying).open();
  await buyersForm.signUp({ ...buyer, password, accountType: "User" });
  await expect(buyersForm.signOut).toBeVisible();
  await buyersForm.link("Categories").click();
  await expect(buyersForm.heading("All Smartphone Brands")).toBeVisible();
  const brandCard = buying.getByRole("main").getByRole("link", { name: brand.name, exact: true });
  await expect(brandCard).toHaveAccessibleDescription(/^[\d,]+ available from \$[\d,]+$/);
  await brandCard.click();
  const found = new CategoryPage(buying);
  await expect(found.heading("All Products")).toBeVisible();
  const dialog = await found.card(phone).book();
  await expect(dialog.root.locator("[name=userName]")).toHaveValue(buyer.name);
  await expect(dialog.root.locator("[name=email]")).toHaveValue(buyer.email);
  await expect(dialog.root.locator("[name=productName]")).toHaveValue(phone);
  await expect(dialog.root.locator("[name=price]")).toHaveValue("275");
  for (const name of ["userName", "email", "productName", "price"]) {
    await expect(dialog.root.locator(`[name=${name}]`)).not.toBeEditable();
  }
  await dialog.book("+880 1234-777888", "Banani, Dhaka");
  await expect(found.toast("Booking Confirmed")).toBeVisible();
  await expect(dialog.root).toBeHidden();

  await expect(watched.booked).toBeVisible();
  await expect(watched.bookNow).toBeHidden();
  await expect(shelf.row(phone)).toContainText("Sold");

  await found.link("Dashboard").click();
  const orders = new Dashboard(buying);
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
  await expect(dialog.root.getByRole("button", { name: "Wait for it" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card.booked).toBeVisible();
});

test("an open booking form shows that another buyer has booked the phone, and keeps its input", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("Going"), brand);
  const page = await visit(await people.buyer());
  const dialog = await (await new CategoryPage(page).open(brand)).card(phone.name).book();
  await dialog.phone.fill("+880 1234-777888");
  await (await people.buyer("Faster")).book(phone);
  await expect(dialog.root.getByText("This phone has just been booked", { exact: false })).toBeVisible();
  await expect(dialog.phone).toHaveValue("+880 1234-777888");
});

test("a new phone appears on an open brand page, changes its price there, and disappears when it is deleted", async ({
  brand,
  people,
  unique,
  visit,
  markPage,
}) => {
  const seller = await people.seller();
  const page = await visit(await people.buyer());
  const category = await new CategoryPage(page).open(brand);
  await expect(category.heading("All Products")).toBeVisible();
  await expect(category.cards.first()).toBeVisible();
  await markPage(page);

  const phone = await seller.list(unique("Newcomer"), brand);
  await expect(category.card(phone.name).bookNow).toBeVisible();
  await expect(category.card(phone.name).root).toContainText("$320");
  await seller.request("patch", `/products/${phone._id}`, { resalePrice: 250 });
  await expect(category.card(phone.name).root).toContainText("$250");

  const shelf = await new Dashboard(await visit(seller)).open("myProducts");
  await shelf.remove(phone.name, "Are you sure you want to delete this product?");
  await expect(shelf.toast("Deleted Successfully")).toBeVisible();
  await expect(shelf.row(phone.name)).toBeHidden();
  await expect(category.card(phone.name).root).toBeHidden();
});
