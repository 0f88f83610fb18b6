import { AddProductPage, Dashboard, OrderPage, PaymentPage, PhonePage } from "../pages";
import { expect, TOKEN_SECRET, test } from "../paymentFixtures";
import type { Phone } from "../support/person";
import { photograph } from "../support/testImage";

// How the buyer gets the phone: what the seller offers, what the buyer chooses and pays, and where it is sent to.

// The demo has the photograph for the listing.
test.use({ settings: { DEMO: "1", TOKEN_SECRET } });

const STREET = "12 Lake Road";

test("a phone that is sent is paid with its postage, and only the two sides know where to", {
  tag: "@translated",
}, async ({ brand, market, people, provider, unique, visit }) => {
  const [seller, buyer] = await Promise.all([people.seller(), people.buyer()]);
  const name = unique("Sent");
  const sellerPage = await visit(seller);
  const form = await new AddProductPage(sellerPage).open();
  await form.field("delivers").selectOption("both");
  await form.field("postage").fill("12");
  await form.add({
    image: await photograph(market),
    name,
    brand: brand.name,
    originalPrice: "640",
    resalePrice: "275",
    productCondition: "Good",
    usedTime: "3 years",
    description: "New battery last spring.",
    location: "Dhanmondi, Dhaka",
    phone: "+880 1234-555666",
    selling_post_date: "2026-11-20",
  });
  await expect(form.toast("Product Added Successfully")).toBeVisible();
  const phones = await seller.request<Phone[]>("get", `/products?email=${encodeURIComponent(seller.email)}`);
  const phone = phones[0] as Phone;
  const page = await visit(buyer);
  await new PhonePage(page).open(phone);
  await expect(page.getByText("Meet in person, or sent for $12").first()).toBeVisible();

  const id = await buyer.book(phone);
  const other = await new PaymentPage(await visit(buyer)).open(id);
  await expect(other.page.getByText("Please pay $275 for your booking")).toBeVisible();
  const payment = await new PaymentPage(page).open(id);
  await expect(payment.pay).toBeVisible();
  await page.getByLabel("Sent to you: $287").check();
  await page.getByRole("button", { name: "Use this address" }).click();
  await expect(page.getByText("Postcode is required")).toBeVisible();
  await page.getByLabel("Street and number").fill(STREET);
  await page.getByLabel("Postcode").fill("1209");
  await page.getByLabel("Town").fill("Dhaka");
  await page.getByLabel("Remember this address for my next order").check();
  await page.getByRole("button", { name: "Use this address" }).click();
  for (const screen of [payment, other]) {
    await expect(screen.page.getByText("Please pay $287 for your booking")).toBeVisible();
    await expect(screen.page.getByText(STREET)).toBeVisible();
  }
  await payment.payWith("success");
  const intent = await payment.expectPaid();
  expect(intent).toBe(await provider.expectOneCharge(buyer, id));
  await expect(other.heading("Your payment is complete")).toBeVisible();

  const sellerOrder = await new OrderPage(sellerPage).open(id);
  await expect(sellerOrder.heading(`Send the phone to ${buyer.name}`)).toBeVisible();
  await expect(sellerPage.getByText(STREET)).toBeVisible();
  const adminOrder = await new OrderPage(await visit(await people.admin())).open(id);
  await expect(adminOrder.heading(`${seller.name} sends ${buyer.name} the phone`)).toBeVisible();
  await expect(adminOrder.page.getByText(STREET)).toBeHidden();

  const next = await seller.list(unique("Next"), brand);
  await new PaymentPage(page).open(await buyer.book(next));
  await page.getByLabel(/^Sent to you/).check();
  await expect(page.getByLabel("Street and number")).toHaveValue(STREET);
  await new Dashboard(page).open("myOrders");
  await expect(page.getByText("incl. $12 postage")).toBeVisible();
});
