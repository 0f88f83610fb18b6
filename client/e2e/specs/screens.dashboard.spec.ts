import { expect, type Page } from "@playwright/test";
import { AddProductPage, Dashboard, LoginPage, OrderPage, PaymentPage } from "../pages";
import { switchSecondFactorOn } from "../support/authenticatorApp";
import { Person, type Phone } from "../support/person";
import {
  heading,
  openScreen,
  type Screen,
  type ScreenContext,
  type ScreenData,
  testScreens,
} from "../support/screens";
import { photographUrls } from "../support/testImage";

/** Opens the confirmation of a deletion in a table. */
async function question(page: Page, path: string) {
  await new Dashboard(page).open(path);
  await page
    .getByRole("table")
    .getByRole("button", { name: /^Delete/ })
    .first()
    .click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
}

/** Opens one of the dashboard's tables. */
async function table(page: Page, path: string) {
  const dashboard = await new Dashboard(page).open(path);
  await expect(dashboard.table).toBeVisible();
}

/** Creates data for each role: a phone of a new seller, booked and reported by the current user. */
async function booked({ people, elsewhere, who }: ScreenContext): Promise<string> {
  const phone = await (await people.seller()).list("Phone with a rather long name, 128 GB", elsewhere);
  if (!who) throw new Error("a visitor books nothing");
  await who.report(phone, "It rings at night. ".repeat(12));
  return who.book(phone);
}

/** An order of the demo that is paid and not handed over, of this buyer or seller, or any one for an admin. */
async function waitingOrder({ market, who }: ScreenContext): Promise<string> {
  const admin = await Person.demo(market, "admin");
  const orders = await admin.request<
    { _id: string; status: string; email: string; seller?: { email: string } }[]
  >("get", "/orders?state=waiting&status=paid");
  const isOf = (email: string | undefined) => email === who?.email || who?.email === admin.email;
  const order = orders.find(({ email, seller }) => isOf(email) || isOf(seller?.email));
  if (!order) throw new Error(`the demo has no order of ${who?.name} that waits`);
  return order._id;
}

/** A seller with six phones: a table of a hundred is slower and shows nothing else. */
async function shop({ market, people, elsewhere, unique }: ScreenData, verified: boolean): Promise<Person> {
  const seller = await (verified ? people.verifiedSeller("Salma") : people.seller("Selim"));
  const photographs = await photographUrls(market, 6);
  for (const [place, img] of photographs.entries()) {
    const resalePrice = 90 + 70 * place;
    await seller.list(unique(place === 2 ? "Galaxy of a rather long name, 128 GB" : "Galaxy"), elsewhere, {
      img,
      resalePrice,
    });
  }
  const [sold, shown] = await seller.request<Phone[]>("get", `/products?email=${seller.email}`);
  if (sold) await (await people.buyer()).book(sold);
  if (shown && verified) await seller.request("put", `/products/advertise/${shown._id}`);
  return seller;
}

const verifiedShop = (data: ScreenData) => shop(data, true);
const newShop = (data: ScreenData) => shop(data, false);

/** The first page of the dashboard, with its statistics. */
const landing: Screen["show"] = async ({ page }) => {
  await openScreen(page, "/dashboard", "Dashboard");
  await heading(page, /right now$/);
  await expect(page.getByRole("definition").first()).toHaveText(/\d/);
};

const screens: Record<string, Screen> = {
  "dashboard-buyer": { who: "buyer", prepare: booked, show: landing },
  "my-orders": { who: "buyer", prepare: booked, show: ({ page }) => table(page, "myOrders") },
  payment: {
    who: "buyer",
    prepare: booked,
    show: async ({ page }, order) => {
      const payment = await new PaymentPage(page).open(order);
      await expect(payment.number).toBeVisible();
      await expect(payment.postal).toBeEditable();
    },
  },
  "order-buyer": {
    who: "buyer",
    prepare: waitingOrder,
    show: async ({ page }, id) => {
      const order = await new OrderPage(page).open(id);
      await order.showCode();
      await expect(order.qrCode).toBeVisible();
    },
  },
  "order-problem": {
    who: "buyer",
    prepare: waitingOrder,
    show: async ({ page }, id) => {
      await (await new OrderPage(page).open(id)).action("Report a problem").click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  "order-seller": {
    who: "seller-verified",
    prepare: waitingOrder,
    show: async ({ page }, id) => {
      await expect((await new OrderPage(page).open(id)).code).toBeVisible();
    },
  },
  "order-admin": {
    who: "admin",
    prepare: waitingOrder,
    show: async ({ page }, id) => {
      await expect((await new OrderPage(page).open(id)).action("Decide")).toBeVisible();
    },
  },
  "order-not-there": {
    who: "buyer",
    show: async ({ page }) => {
      await new OrderPage(page).open("nowhere");
      await expect(page.getByText("There is no such order")).toBeVisible();
    },
  },
  "wrong-role": {
    who: "buyer",
    show: async ({ page }) => {
      await new Dashboard(page).open("allBuyers");
      await expect(page.getByText("This page is for admins")).toBeVisible();
    },
  },
  "dashboard-seller": { who: "seller-verified", show: landing },
  "add-product": {
    who: "seller",
    show: async ({ page }) => {
      const form = await new AddProductPage(page).open();
      await expect(form.submit).toBeVisible();
    },
  },
  "add-product-unfilled": {
    who: "seller",
    show: async ({ page }) => {
      const form = await new AddProductPage(page).open();
      await form.submit.click();
      await expect(page.getByText("Description is required")).toBeVisible();
    },
  },
  "my-products": { who: verifiedShop, show: ({ page }) => table(page, "myProducts") },
  "my-products-unverified": { who: newShop, show: ({ page }) => table(page, "myProducts") },
  "edit-product": {
    who: newShop,
    prepare: async ({ who }) => {
      const shelf =
        (await who?.request<(Phone & { booked: boolean })[]>("get", `/products?email=${who.email}`)) ?? [];
      return shelf.find(({ booked }) => !booked)?._id ?? "";
    },
    show: async ({ page }, id) => {
      await new Dashboard(page).open(`myProducts/${id}`);
      await expect(page.getByRole("button", { name: "Save changes" })).toBeVisible();
    },
  },
  "price-dialog": {
    who: newShop,
    show: async ({ page }) => {
      await new Dashboard(page).open("myProducts");
      await page
        .getByRole("button", { name: /^Change/ })
        .first()
        .click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  "get-verified": {
    who: newShop,
    show: async ({ page }) => {
      await new Dashboard(page).open();
      await page.getByRole("button", { name: "How to get verified" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  "delete-product": { who: newShop, show: ({ page }) => question(page, "myProducts") },
  account: {
    who: "buyer",
    show: async ({ page }) => {
      await new Dashboard(page).open("account");
      await expect(page.getByText("This device")).toBeVisible();
      await page.getByRole("button", { name: "Change password" }).click();
    },
  },
  notifications: {
    who: newShop,
    show: async ({ page }) => {
      await new Dashboard(page).open("notifications");
      await expect(page.getByText("was booked.").first()).toBeVisible();
    },
  },
  "notifications-none": {
    who: ({ people }) => people.buyer(),
    show: async ({ page }) => {
      await new Dashboard(page).open("notifications");
      await expect(page.getByText("No notifications yet")).toBeVisible();
    },
  },
  "account-new": {
    who: ({ people }) => people.buyer(),
    prepare: async ({ visit, who }) => {
      const other = await visit();
      await (await new LoginPage(other).open()).signIn(who as Person);
      await expect(new LoginPage(other).signOut).toBeVisible();
      return "";
    },
    show: async ({ page }) => {
      await new Dashboard(page).open("account");
      await expect(page.getByText("Email not confirmed")).toBeVisible();
      await expect(page.getByRole("button", { name: "Sign out everywhere else" })).toBeVisible();
      await page.getByRole("button", { name: "Change email" }).click();
    },
  },
  "account-second-factor": {
    who: ({ people }) => people.buyer(),
    show: async ({ page, who }) => {
      await new Dashboard(page).open("account");
      await page.getByRole("button", { name: "Set up two-step login" }).click();
      await page.getByLabel("Current password").fill(who?.password ?? "");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("img", { name: /^QR code/ })).toBeVisible();
    },
  },
  "account-recovery-codes": {
    who: ({ people }) => people.buyer(),
    show: async ({ page, who }) => {
      // The factor stays off, so that the screen can be opened again.
      await page.route("**/second-factor/confirm", (route) =>
        route.fulfill({
          json: { recoveryCodes: Array.from("ABCDEFGHIJ", (letter) => `${letter.repeat(4)}-2345-MNOP-QRST`) },
        }),
      );
      await new Dashboard(page).open("account");
      await page.getByRole("button", { name: "Set up two-step login" }).click();
      await page.getByLabel("Current password").fill(who?.password ?? "");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel("Code", { exact: true }).fill("123456");
      await page.getByRole("button", { name: "Switch on" }).click();
      await expect(page.getByRole("list", { name: "Recovery codes" })).toBeVisible();
    },
  },
  "account-second-factor-on": {
    who: async ({ people }) => {
      const person = await people.buyer();
      await switchSecondFactorOn(person);
      return person;
    },
    show: async ({ page }) => {
      await new Dashboard(page).open("account");
      await page.getByRole("button", { name: "Switch off" }).click();
      await expect(page.getByLabel("Current password")).toBeVisible();
    },
  },
  "dashboard-admin": { who: "admin", show: landing },
  "all-buyers": { who: "admin", show: ({ page }) => table(page, "allBuyers") },
  "delete-buyer": { who: "admin", show: ({ page }) => question(page, "allBuyers") },
  "all-sellers": { who: "admin", show: ({ page }) => table(page, "allSellers") },
  "audit-trail": { who: "admin", show: ({ page }) => table(page, "auditTrail") },
  orders: { who: "admin", show: ({ page }) => table(page, "orders?status=paid") },
  "mark-as-paid-out": {
    who: "admin",
    prepare: async ({ who }) => {
      const [order] = (await who?.request<{ _id: string }[]>("get", "/orders?state=waiting&limit=1")) ?? [];
      const settled = { action: "settle", outcome: "release", reason: "Both have met." };
      await who?.request("put", `/bookings/${order?._id}/fulfilment`, settled);
      return "";
    },
    show: async ({ page }) => {
      await new Dashboard(page).open("orders?payout=due");
      await page.getByRole("button", { name: "Mark as paid out" }).first().click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  earnings: { who: "seller-verified", show: ({ page }) => table(page, "earnings") },
  "earnings-none": {
    who: ({ people }) => people.seller(),
    show: async ({ page }) => {
      await new Dashboard(page).open("earnings");
      await expect(page.getByText("You have not sold a phone yet")).toBeVisible();
    },
  },
  "reported-items": { who: "admin", show: ({ page }) => table(page, "reportedItems") },
};

testScreens(screens);
