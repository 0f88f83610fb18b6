import type { Page } from "@playwright/test";
import { CategoryPage, Dashboard, PaymentPage } from "../pages";
import { bookedPhone, expect, TOKEN_SECRET, test } from "../paymentFixtures";
import type { LoadBalancer } from "../support/loadBalancer";
import { calls, SentRequests } from "../support/networkTraffic";
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
async function nodeOf(front: LoadBalancer): Promise<Node> {
  await expect.poll(() => front.socketNodes().length, { message: "sockets" }).toBe(1);
  return front.socketNodes()[0] as Node;
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
    const front = await market.loadBalancer();
    const seller = await people.seller();
    const phones = [];
    for (const name of ["First", "Second", "Mine"]) phones.push(await seller.list(unique(name), brand));
    const mine = phones.pop();
    const another = await people.buyer();
    const page = await visit(await people.buyer(), { baseURL: front.url });
    const category = await new CategoryPage(page).open(brand);
    await expect(category.cards).toHaveCount(3);
    await recordBannerTexts(page);
    await markPage(page);

    for (const phone of phones) {
      const lost = await nodeOf(front);
      const [left] = market.nodes.filter((node) => node !== lost);
      const code = lost.stop(signal);
      // While it stops, a buyer books at the other one.
      await another.viaNode(left).book(phone);
      expect(await code).toBe(signal === "SIGTERM" ? 0 : null);
      await expect(category.card(phone.name).booked).toBeVisible();
      expect(await nodeOf(front)).toBe(left);
      await lost.start();
    }
    // A client that got the close code for a restart shows no banner.
    if (signal === "SIGTERM") expect(await page.evaluate(() => window.bannerTexts)).toEqual([]);

    const dialog = await category.card(mine?.name ?? "").book();
    await dialog.phone.fill("+880 1234-777888");
    await (await nodeOf(front)).stop("SIGKILL");
    await dialog.confirm.click();
    await expect(category.toast("Booking Confirmed")).toBeVisible();
    await expect(category.card(mine?.name ?? "").booked).toBeVisible();
  });
}

test("a payment is made once when each of its calls reaches another node", async ({
  ownMarket,
  unique,
  visit,
  markPage,
}) => {
  const { market, brand, people } = await ownMarket({ TOKEN_SECRET });
  const { id, buyer, phone } = await bookedPhone({ people, unique }, brand);
  const provider = await PaymentProvider.of(market, TOKEN_SECRET);
  const front = await market.loadBalancer();
  const [one, other] = market.nodes as [Node, Node];
  for (const call of [calls.secret, calls.record]) front.routeTo(call, one);
  for (const call of [calls.confirm, calls.status]) front.routeTo(call, other);
  const page = await visit(buyer, { baseURL: front.url });
  const traffic = new SentRequests(page);
  const payment = await new PaymentPage(page).open(id);
  const orders = await new Dashboard(await visit(buyer, { baseURL: one.url })).open("myOrders");
  const category = await new CategoryPage(await visit(await people.buyer(), { baseURL: other.url })).open(
    brand,
  );
  await expect(orders.row(phone.name)).toContainText("Pay");
  for (const open of [payment, orders, category]) await markPage(open.page);

  await payment.payWith("threeDSecure");
  await payment.answerAuthentication("Complete authentication");
  const paid = await payment.expectPaid();
  expect(paid).toBe(await provider.expectOneCharge(buyer, id));
  expect(traffic.intents()).toEqual([paid]);
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
  // Neither has a session to sign out.
  problems.expect(/status of 401 /, /WebSocket/);
  const [one, other] = market.nodes as [Node, Node];
  const removed = await people.buyer();
  const page = await visit(removed, { baseURL: other.url });
  await new Dashboard(page).open("myOrders");
  await expect(page.getByText("You have not booked a phone yet")).toBeVisible();
  await markPage(page);
  await adminUser.viaNode(one).request("delete", `/users/${await adminUser.idOf(removed, "buyers")}`);
  await expect(page).toHaveURL(/\/login$/);

  const leaving = await people.buyer();
  const elsewhere = await visit(leaving, { baseURL: other.url });
  await new Dashboard(elsewhere).open("myOrders");
  await expect(elsewhere.getByText("You have not booked a phone yet")).toBeVisible();
  await markPage(elsewhere);
  await leaving.viaNode(one).endSession();
  await expect(elsewhere).toHaveURL(/\/login$/);
});

/** An email is sent a minute after its notification, and the servers wait a minute after they have started. */
const EMAIL_MS = 100_000;

test("an email is sent to a user who chose it and has no screen open at any node", async ({
  emailServer,
  ownMarket,
  unique,
  visit,
}) => {
  test.setTimeout(EMAIL_MS + 120_000);
  const { brand, people } = await ownMarket(emailServer.settings());
  const seller = await people.seller();
  const [away, present, unconfirmed] = [await people.buyer(), await people.buyer(), await people.buyer()];
  for (const one of [seller, away, present]) {
    const link = await emailServer.link(one.email, "Confirm your email address for SecondRing");
    await one.call("post", "/identity/verify", { token: link.replace(/.*#token=/, "") });
  }
  const phone = await seller.list(unique("Watched"), brand);
  for (const buyer of [away, present, unconfirmed]) {
    await buyer.request("put", `/watches/${phone._id}`);
    await buyer.request("put", "/notifications/settings", { email: { price: "now" } });
  }
  const page = await visit(present);
  await page.goto("/blog");
  await expect(page.getByRole("status", { name: "Live updates" })).toBeAttached();

  await seller.request("patch", `/products/${phone._id}`, { resalePrice: 123 });
  const what = `${brand.name} ${phone.name}, which you watch, is cheaper now: $123 instead of $320`;
  const text = await emailServer.text(away.email, what, EMAIL_MS);
  expect(text).toMatch(/\/dashboard\/notifications#emails/);
  for (const other of [present, unconfirmed]) expect(emailServer.subjects(other.email)).not.toContain(what);

  const window = await visit(away);
  await window.goto(new URL(text.match(/https?:\S+\/phone\/\S+/)?.[0] ?? "").pathname);
  await expect(window.getByRole("heading", { name: phone.name })).toBeVisible();
});
