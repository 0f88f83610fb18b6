import { expect, type Page } from "@playwright/test";
import { AddProductPage, Dashboard, LoginPage, MessagesPage, OrderPage, PaymentPage } from "../pages";
import { switchSecondFactorOn } from "../support/authenticatorApp";
import { resetShifts } from "../support/layoutShifts";
import { Person, type Phone } from "../support/person";
import { expectLoaded } from "../support/screenChecks";
import {
  expectHeading,
  openScreen,
  type Screen,
  type ScreenContext,
  type ScreenData,
  testScreens,
} from "../support/screens";
import { photographUrls } from "../support/testImage";

/** Opens the confirmation of a deletion in a table. */
async function openDeletion(page: Page, path: string) {
  await new Dashboard(page).open(path);
  await page
    .getByRole("table")
    .getByRole("button", { name: /^Delete/, disabled: false })
    .first()
    .click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
}

/** Opens a screen of the dashboard with a table, or with two. */
async function openTable(page: Page, path: string) {
  const dashboard = await new Dashboard(page).open(path);
  await expect(dashboard.table.first()).toBeVisible();
  await expectLoaded(page);
}

/** Books and reports a phone of a new seller. Resolves to the order's ID. */
async function bookAndReport({ people, otherBrand, user }: ScreenContext): Promise<string> {
  const phone = await (await people.seller()).list("Phone with a rather long name, 128 GB", otherBrand);
  if (!user) throw new Error("a visitor cannot book");
  await user.report(phone, "It rings at night. ".repeat(12));
  return user.book(phone);
}

/** Finds an order of the demo that is paid and not handed over: one of the user, or any one for an admin. */
async function findWaitingOrder({ market, user }: ScreenContext): Promise<string> {
  const admin = await Person.demo(market, "admin");
  const orders = await admin.request<
    { _id: string; status: string; email: string; seller?: { email: string } }[]
  >("get", "/orders?state=waiting&status=paid");
  const isOf = (email: string | undefined) => email === user?.email || user?.email === admin.email;
  const order = orders.find(({ email, seller }) => isOf(email) || isOf(seller?.email));
  if (!order) throw new Error(`the demo has no order of ${user?.name} that is waiting`);
  return order._id;
}

/** Lets a buyer ask about a phone of the user and make an offer. Resolves to the conversation's ID. */
async function talk({ people, otherBrand, user }: ScreenContext): Promise<string> {
  if (!user) throw new Error("a visitor cannot talk");
  const phone = await user.list("Phone with a rather long name, 128 GB", otherBrand, { resalePrice: 100 });
  const buyer = await people.buyer();
  const body = {
    productID: phone._id,
    text: "Does it have any faults that the photos do not show? ".repeat(4),
  };
  await buyer.request("post", "/threads", body);
  const offer = { productID: phone._id, price: 90, phone: "01711 000000" };
  const { threadId } = await buyer.request<{ threadId: string }>("post", "/offers", offer);
  return threadId;
}

/** Creates a seller with six phones. A table of a hundred phones would be slower and show nothing more. */
async function sellerWithPhones(
  { market, people, otherBrand, unique }: ScreenData,
  verified: boolean,
): Promise<Person> {
  const seller = await (verified ? people.verifiedSeller("Salma") : people.seller("Selim"));
  const photographs = await photographUrls(market, 6);
  for (const [index, img] of photographs.entries()) {
    const resalePrice = 90 + 70 * index;
    await seller.list(unique(index === 2 ? "Galaxy of a rather long name, 128 GB" : "Galaxy"), otherBrand, {
      img,
      resalePrice,
    });
  }
  const [booked, advertised] = await seller.request<Phone[]>("get", `/products?email=${seller.email}`);
  if (booked) await (await people.buyer()).book(booked);
  if (advertised && verified) await seller.request("put", `/products/advertise/${advertised._id}`);
  return seller;
}

/** Lets a buyer report a phone of a new seller. Resolves to the case's ID. */
async function openCase({ market, people, otherBrand }: ScreenData): Promise<string> {
  const phone = await (await people.seller()).list("Phone with a rather long name, 128 GB", otherBrand);
  await (await people.buyer()).report(phone, "It rings at night. ".repeat(12));
  const admin = await Person.demo(market, "admin");
  const cases = await admin.request<{ _id: string; target: { _id: string } }[]>(
    "get",
    "/cases?state=open&limit=200",
  );
  const found = cases.find(({ target }) => target._id === phone._id);
  if (!found) throw new Error("a report opens a case");
  return found._id;
}

/** Creates a seller whose phone an admin has removed. */
async function sellerWithDecision({ market, people, otherBrand }: ScreenData): Promise<Person> {
  const seller = await people.seller();
  const phone = await seller.list("Phone with a rather long name, 128 GB", otherBrand);
  await (await Person.demo(market, "admin")).request("delete", `/products/${phone._id}`, {
    rule: "stolen",
    words: "Its owner has shown us the receipt. ".repeat(4),
  });
  return seller;
}

const verifiedSeller = (data: ScreenData) => sellerWithPhones(data, true);
const newSeller = (data: ScreenData) => sellerWithPhones(data, false);

/** Opens the first page of the dashboard, with its statistics. */
const showDashboard: Screen["show"] = async ({ page }) => {
  await openScreen(page, "/dashboard", "Dashboard");
  await expectHeading(page, /right now$/);
  await expectLoaded(page);
};

const screens: Record<string, Screen> = {
  "dashboard-buyer": { user: "buyer", prepare: bookAndReport, show: showDashboard },
  "my-orders": { user: "buyer", prepare: bookAndReport, show: ({ page }) => openTable(page, "myOrders") },
  payment: {
    user: "buyer",
    prepare: bookAndReport,
    show: async ({ page }, order) => {
      const payment = await new PaymentPage(page).open(order);
      await expect(payment.number).toBeVisible();
      await expect(payment.postal).toBeEditable();
    },
  },
  "order-buyer": {
    user: "buyer",
    prepare: findWaitingOrder,
    show: async ({ page }, id) => {
      const order = await new OrderPage(page).open(id);
      await order.showCode();
      await expect(order.qrCode).toBeVisible();
    },
  },
  "order-problem": {
    user: "buyer",
    prepare: findWaitingOrder,
    show: async ({ page }, id) => {
      await (await new OrderPage(page).open(id)).action("Report a problem").click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  "order-seller": {
    user: "seller-verified",
    prepare: findWaitingOrder,
    show: async ({ page }, id) => {
      await expect((await new OrderPage(page).open(id)).code).toBeVisible();
    },
  },
  "order-admin": {
    user: "admin",
    prepare: findWaitingOrder,
    show: async ({ page }, id) => {
      await expect((await new OrderPage(page).open(id)).heading("Decide")).toBeVisible();
    },
  },
  messages: {
    user: "seller",
    prepare: talk,
    show: async ({ page }) => {
      await expect((await new MessagesPage(page).open()).list).toBeVisible();
    },
  },
  conversation: {
    user: "seller",
    prepare: talk,
    show: async ({ page }, id) => {
      const messages = await new MessagesPage(page).open(id);
      await expect(messages.button("Accept $90")).toBeVisible();
      await expectLoaded(page);
    },
  },
  "first-message": {
    user: "buyer",
    prepare: async ({ people, otherBrand }) =>
      (await (await people.seller()).list("Phone with a rather long name, 128 GB", otherBrand))._id,
    show: async ({ page }, phone) => {
      await page.goto(`/dashboard/messages/new?phone=${phone}&offer`);
      await expect(page.getByLabel("Your price")).toBeVisible();
    },
  },
  "order-not-found": {
    user: "buyer",
    show: async ({ page }) => {
      await new OrderPage(page).open("nowhere");
      await expect(page.getByText("There is no such order")).toBeVisible();
    },
  },
  "wrong-role": {
    user: "buyer",
    show: async ({ page }) => {
      await new Dashboard(page).open("allBuyers");
      await expect(page.getByText("This page is for admins")).toBeVisible();
    },
  },
  "dashboard-seller": { user: "seller-verified", show: showDashboard },
  "add-product": {
    user: "seller",
    show: async ({ page }) => {
      const form = await new AddProductPage(page).open();
      await expect(form.submit).toBeVisible();
    },
  },
  "add-product-unfilled": {
    user: "seller",
    show: async ({ page }) => {
      const form = await new AddProductPage(page).open();
      await form.submit.click();
      await expect(page.getByText("Description is required")).toBeVisible();
    },
  },
  "my-products": { user: verifiedSeller, show: ({ page }) => openTable(page, "myProducts") },
  "my-products-unverified": { user: newSeller, show: ({ page }) => openTable(page, "myProducts") },
  "edit-product": {
    user: newSeller,
    prepare: async ({ user }) => {
      const myProducts =
        (await user?.request<(Phone & { booked: boolean })[]>("get", `/products?email=${user.email}`)) ?? [];
      return myProducts.find(({ booked }) => !booked)?._id ?? "";
    },
    show: async ({ page }, id) => {
      await new Dashboard(page).open(`myProducts/${id}`);
      await expect(page.getByRole("button", { name: "Save changes" })).toBeVisible();
    },
  },
  "price-dialog": {
    user: newSeller,
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
    user: newSeller,
    show: async ({ page }) => {
      await new Dashboard(page).open();
      await page.getByRole("button", { name: "How to get verified" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  "delete-product": { user: newSeller, show: ({ page }) => openDeletion(page, "myProducts") },
  account: {
    user: "buyer",
    show: async ({ page }) => {
      await new Dashboard(page).open("account");
      await expect(page.getByText("This device")).toBeVisible();
      await page.getByRole("button", { name: "Change password" }).click();
    },
  },
  notifications: {
    user: newSeller,
    show: async ({ page }) => {
      await new Dashboard(page).open("notifications");
      await expect(page.getByText("was booked.").first()).toBeVisible();
    },
  },
  "notifications-none": {
    user: ({ people }) => people.buyer(),
    show: async ({ page }) => {
      await new Dashboard(page).open("notifications");
      await expect(page.getByText("No notifications yet")).toBeVisible();
    },
  },
  "account-new": {
    user: ({ people }) => people.buyer(),
    prepare: async ({ visit, user }) => {
      const other = await visit();
      await (await new LoginPage(other).open()).signIn(user as Person);
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
    user: ({ people }) => people.buyer(),
    show: async ({ page, user }) => {
      await new Dashboard(page).open("account");
      await page.getByRole("button", { name: "Set up two-step login" }).click();
      await page.getByLabel("Current password").fill(user?.password ?? "");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("img", { name: /^QR code/ })).toBeVisible();
      // A password is checked slowly, so the browser may not connect the movement with the click.
      await resetShifts(page);
    },
  },
  "account-recovery-codes": {
    user: ({ people }) => people.buyer(),
    show: async ({ page, user }) => {
      // The factor stays off, so that the screen can be opened again.
      await page.route("**/second-factor/confirm", (route) =>
        route.fulfill({
          json: { recoveryCodes: Array.from("ABCDEFGHIJ", (letter) => `${letter.repeat(4)}-2345-MNOP-QRST`) },
        }),
      );
      await new Dashboard(page).open("account");
      await page.getByRole("button", { name: "Set up two-step login" }).click();
      await page.getByLabel("Current password").fill(user?.password ?? "");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByLabel("Code", { exact: true }).fill("123456");
      await page.getByRole("button", { name: "Switch on" }).click();
      await expect(page.getByRole("list", { name: "Recovery codes" })).toBeVisible();
      await resetShifts(page);
    },
  },
  "account-second-factor-on": {
    user: async ({ people }) => {
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
  "dashboard-admin": { user: "admin", show: showDashboard },
  "all-buyers": { user: "admin", show: ({ page }) => openTable(page, "allBuyers") },
  "delete-buyer": { user: "admin", show: ({ page }) => openDeletion(page, "allBuyers") },
  "all-sellers": { user: "admin", show: ({ page }) => openTable(page, "allSellers") },
  "verify-seller": {
    user: "admin",
    show: async ({ page }) => {
      await new Dashboard(page).open("allSellers");
      await page.getByRole("button", { name: "Make Verified" }).first().click();
      await expect(page.getByRole("alertdialog").getByText(/phones?$/)).toBeVisible();
    },
  },
  "audit-trail": { user: "admin", show: ({ page }) => openTable(page, "auditTrail") },
  orders: { user: "admin", show: ({ page }) => openTable(page, "orders?status=paid") },
  "mark-as-paid-out": {
    user: "admin",
    prepare: async ({ user }) => {
      const [order] = (await user?.request<{ _id: string }[]>("get", "/orders?state=waiting&limit=1")) ?? [];
      const settled = { action: "settle", outcome: "release", reason: "Both have met." };
      await user?.request("put", `/bookings/${order?._id}/fulfilment`, settled);
      return "";
    },
    show: async ({ page }) => {
      await new Dashboard(page).open("orders?payout=due");
      await page.getByRole("button", { name: "Mark as paid out" }).first().click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  earnings: { user: "seller-verified", show: ({ page }) => openTable(page, "earnings") },
  "earnings-none": {
    user: ({ people }) => people.seller(),
    show: async ({ page }) => {
      await new Dashboard(page).open("earnings");
      await expect(page.getByText("You have not sold a phone yet")).toBeVisible();
    },
  },
  cases: { user: "admin", prepare: openCase, show: ({ page }) => openTable(page, "cases") },
  case: {
    user: "admin",
    prepare: openCase,
    show: async ({ page }, id) => {
      await new Dashboard(page).open(`cases/${id}`);
      await page.getByRole("radio", { name: /^Suspend/ }).check();
      await page.getByRole("radio", { name: "7 days" }).check();
      await page.getByRole("radio", { name: "Stolen" }).check();
      await page.getByLabel("Your words to them").fill("Too short");
      await page.getByRole("button", { name: "Decide" }).click();
      await expect(page.getByText("Please write at least 20 characters")).toBeVisible();
      await expectLoaded(page);
    },
  },
  decisions: {
    user: sellerWithDecision,
    show: async ({ page }) => {
      await new Dashboard(page).open("decisions");
      await expect(page.getByRole("button", { name: "Ask us to look again" })).toBeVisible();
    },
  },
  "decisions-none": {
    user: ({ people }) => people.buyer(),
    show: async ({ page }) => {
      await new Dashboard(page).open("decisions");
      await expect(page.getByText("There are no decisions about you")).toBeVisible();
    },
  },
  "reported-items": { user: "admin", show: ({ page }) => openTable(page, "reportedItems") },
};

testScreens(screens);
