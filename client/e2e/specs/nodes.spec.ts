import type { Page } from "@playwright/test";
import { CategoryPage, Dashboard, PaymentPage } from "../pages";
import { bookedPhone, expect, TOKEN_SECRET, test } from "../paymentFixtures";
import type { LoadBalancer } from "../support/loadBalancer";
import { PaymentRequests, paymentPaths } from "../support/networkTraffic";
import type { Node } from "../support/node";
import { PaymentProvider } from "../support/paymentProvider";

/** The console messages about a stopped node. */
const NODE_STOPPED = /ERR_|WebSocket/;

declare global {
  interface Window {
    /** The texts of the connection banner since `recordBannerTexts`. */
    bannerTexts?: string[];
  }
}

/** Records the texts of the connection banner from now on. */
async function recordBannerTexts(page: Page): Promise<void> {
  await page.getByRole("status", { name: "Live updates" }).evaluate((banner) => {
    const bannerTexts: string[] = [];
    window.bannerTexts = bannerTexts;
    new MutationObserver(() => banner.textContent && bannerTexts.push(banner.textContent)).observe(banner, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
}

/** The node that has the socket of the only open page. */
async function nodeOf(balancer: LoadBalancer): Promise<Node> {
  await expect.poll(() => balancer.socketNodes().length, { message: "sockets" }).toBe(1);
  return balancer.socketNodes()[0] as Node;
}

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`a screen stays live after the ${signal} of its node, and of the next one, without a reload`, async ({
    ownMarket,
    unique,
    visit,
    markPage,
    problems,
  }) => {
    problems.expect(NODE_STOPPED);
    const { market, brand, people } = await ownMarket();
    const balancer = await market.loadBalancer();
    const seller = await people.seller();
    const phones = [];
    for (const name of ["First", "Second", "Third"]) phones.push(await seller.list(unique(name), brand));
    const third = phones.pop();
    const otherBuyer = await people.buyer();
    const page = await visit(await people.buyer(), { baseURL: balancer.url });
    const category = await new CategoryPage(page).open(brand);
    await expect(category.cards).toHaveCount(3);
    await recordBannerTexts(page);
    await markPage(page);

    for (const phone of phones) {
      const stopped = await nodeOf(balancer);
      const [remaining] = market.nodes.filter((node) => node !== stopped);
      const code = stopped.stop(signal);
      // While it stops, a buyer books at the other one.
      await otherBuyer.viaNode(remaining).book(phone);
      expect(await code).toBe(signal === "SIGTERM" ? 0 : null);
      await expect(category.card(phone.name).booked).toBeVisible();
      expect(await nodeOf(balancer)).toBe(remaining);
      await stopped.start();
    }
    // A client that got the close code for a restart shows no banner.
    if (signal === "SIGTERM") expect(await page.evaluate(() => window.bannerTexts)).toEqual([]);

    const dialog = await category.card(third?.name ?? "").book();
    await dialog.phone.fill("+880 1234-777888");
    await (await nodeOf(balancer)).stop("SIGKILL");
    await dialog.confirm.click();
    await expect(category.toast("Booking Confirmed")).toBeVisible();
    await expect(category.card(third?.name ?? "").booked).toBeVisible();
  });
}

test("a payment is made once if its requests reach different nodes", async ({
  ownMarket,
  unique,
  visit,
  markPage,
}) => {
  const { market, brand, people } = await ownMarket({ TOKEN_SECRET });
  const { id, buyer, phone } = await bookedPhone({ people, unique }, brand);
  const provider = await PaymentProvider.of(market, TOKEN_SECRET);
  const balancer = await market.loadBalancer();
  const [first, second] = market.nodes as [Node, Node];
  for (const path of [paymentPaths.secret, paymentPaths.record]) balancer.routeTo(path, first);
  for (const path of [paymentPaths.confirm, paymentPaths.status]) balancer.routeTo(path, second);
  const page = await visit(buyer, { baseURL: balancer.url });
  const requests = new PaymentRequests(page);
  const payment = await new PaymentPage(page).open(id);
  const orders = await new Dashboard(await visit(buyer, { baseURL: first.url })).open("myOrders");
  const category = await new CategoryPage(await visit(await people.buyer(), { baseURL: second.url })).open(
    brand,
  );
  await expect(orders.row(phone.name)).toContainText("Pay");
  for (const { page } of [payment, orders, category]) await markPage(page);

  await payment.payWith("threeDSecure");
  await payment.answerAuthentication("Complete authentication");
  const paid = await payment.expectPaid();
  expect(paid).toBe(await provider.expectOneCharge(buyer, id));
  expect(requests.intents()).toEqual([paid]);
  await expect(orders.row(phone.name).getByText("Paid", { exact: true })).toBeVisible();
  await expect(category.card(phone.name).booked).toBeVisible();
  await provider.close();
});

test("removal and sign-out at one node take effect at the other at once", async ({
  market,
  adminUser,
  people,
  visit,
  markPage,
  problems,
}) => {
  // Neither person has a session to sign out of.
  problems.expect(/status of 401 /, /WebSocket/);
  const [first, second] = market.nodes as [Node, Node];
  const removed = await people.buyer();
  const page = await visit(removed, { baseURL: second.url });
  await new Dashboard(page).open("myOrders");
  await expect(page.getByText("You have not booked a phone yet")).toBeVisible();
  await markPage(page);
  await adminUser.viaNode(first).request("delete", `/users/${await adminUser.idOf(removed, "buyers")}`);
  await expect(page).toHaveURL(/\/login$/);

  const signedOut = await people.buyer();
  const signedOutPage = await visit(signedOut, { baseURL: second.url });
  await new Dashboard(signedOutPage).open("myOrders");
  await expect(signedOutPage.getByText("You have not booked a phone yet")).toBeVisible();
  await markPage(signedOutPage);
  await signedOut.viaNode(first).endSession();
  await expect(signedOutPage).toHaveURL(/\/login$/);
});

test("an email is sent to a user who chose it and has no screen open at any node", async ({
  emailServer,
  ownMarket,
  unique,
  visit,
}) => {
  const { brand, people } = await ownMarket(emailServer.settings());
  const seller = await people.seller();
  const [offline, online, unconfirmed] = [await people.buyer(), await people.buyer(), await people.buyer()];
  for (const person of [seller, offline, online]) {
    const link = await emailServer.link(person.email, "Confirm your email address for SecondRing");
    await person.call("post", "/identity/verify", { token: link.replace(/.*#token=/, "") });
  }
  const phone = await seller.list(unique("Watched"), brand);
  for (const buyer of [offline, online, unconfirmed]) {
    await buyer.request("put", `/watches/${phone._id}`);
    await buyer.request("put", "/notifications/settings", { email: { price: "now" } });
  }
  const page = await visit(online);
  await page.goto("/blog");
  await expect(page.getByRole("status", { name: "Live updates" })).toBeAttached();

  await seller.request("patch", `/products/${phone._id}`, { resalePrice: 123 });
  const subject = `${brand.name} ${phone.name}, which you watch, became cheaper: $123 instead of $320`;
  const text = await emailServer.text(offline.email, subject);
  expect(text).toMatch(/\/dashboard\/notifications#emails/);
  for (const other of [online, unconfirmed]) expect(emailServer.subjects(other.email)).not.toContain(subject);

  const phonePage = await visit(offline);
  await phonePage.goto(new URL(text.match(/https?:\S+\/phone\/\S+/)?.[0] ?? "").pathname);
  await expect(phonePage.getByRole("heading", { name: phone.name })).toBeVisible();
});
