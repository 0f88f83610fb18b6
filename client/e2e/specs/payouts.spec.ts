import { readFile } from "node:fs/promises";
import { Dashboard } from "../pages";
import { expect, TOKEN_SECRET, test } from "../paymentFixtures";
import { PaymentProvider } from "../support/paymentProvider";
import { checkScreen } from "../support/screenChecks";

test("a seller sets up payouts at Stripe, and a completed order's money arrives at once", async ({
  ownMarket,
  unique,
  visit,
}) => {
  test.slow();
  const { market, brand, people } = await ownMarket({
    COMMISSION: "5",
    PAYOUTS: "stripe",
    SETTLE_AFTER: "1s",
    TOKEN_SECRET,
  });
  const [seller, buyer] = [await people.seller(), await people.buyer()];
  const phone = await seller.list(unique("Sold"), brand);
  const provider = await PaymentProvider.of(market, TOKEN_SECRET);
  const id = await buyer.book(phone);
  await provider.pay(buyer, id);
  await buyer.request("put", `/bookings/${id}/fulfilment`, { action: "received" });

  const earnings = await new Dashboard(await visit(seller)).open("earnings");
  const { page } = earnings;
  await expect(earnings.row(phone.name)).toContainText("To be paid out");
  await checkScreen(page, "earnings-setup");
  await page.getByRole("button", { name: "Set up payouts" }).click();
  await expect(page.getByRole("heading", { name: "Set up payouts" })).toBeVisible();
  await checkScreen(page, "sandbox-onboarding");
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("button", { name: "Continue setup" }).click();
  await page.getByRole("button", { name: "Complete setup" }).click();

  await expect(page).toHaveURL(/\/dashboard\/earnings$/);
  await expect(page.getByText("Your Stripe account is ready")).toBeVisible();
  await expect(earnings.row(phone.name)).toContainText("Paid out");
  await expect(earnings.row(phone.name)).toContainText("Reference: tr_");
  await provider.close();
});

test("a payout that an admin marks shows in the seller's earnings at once", {
  tag: "@nodes",
}, async ({ ownMarket, unique, visit, markPage }) => {
  test.slow();
  const { market, adminUser, brand, people } = await ownMarket({
    COMMISSION: "5",
    SETTLE_AFTER: "1s",
    TOKEN_SECRET,
  });
  const [seller, buyer] = [await people.seller(), await people.buyer()];
  const phone = await seller.list(unique("Sold"), brand);
  const earnings = await new Dashboard(await visit(seller)).open("earnings");
  const orders = await new Dashboard(await visit(adminUser)).open("orders?payout=due");
  await expect(earnings.page.getByText("You have not sold a phone yet")).toBeVisible();
  await expect(orders.page.getByText("No matches")).toBeVisible();
  for (const { page } of [earnings, orders]) await markPage(page);
  const statistic = (label: string) =>
    earnings.page.locator("dl > div").filter({ has: earnings.page.getByText(label, { exact: true }) });

  const provider = await PaymentProvider.of(market, TOKEN_SECRET);
  const id = await buyer.book(phone);
  await provider.pay(buyer, id);
  await expect(earnings.row(phone.name)).toContainText("Waiting for handover");
  await expect(statistic("Waiting for handover")).toContainText("$320");

  await buyer.request("put", `/bookings/${id}/fulfilment`, { action: "received" });
  await expect(earnings.row(phone.name)).toContainText("To be paid out");
  await expect(statistic("To be paid out")).toContainText("$304");
  await expect(statistic("Waiting for handover")).toContainText("$0");
  await expect(orders.row(phone.name)).toContainText("To pay out: $304");
  const [file] = await Promise.all([
    orders.page.waitForEvent("download"),
    orders.page.getByRole("button", { name: "Export payouts due (CSV)" }).click(),
  ]);
  expect(await readFile(await file.path(), "utf8")).toContain(`"${seller.email}","304.00","${id}"`);

  await orders.button(phone.name, "Mark as paid out").click();
  await orders.page.getByLabel("Reference").fill("Transfer 12");
  await orders.page
    .getByRole("dialog")
    .getByRole("button", { name: /^Mark \$/ })
    .click();
  await expect(orders.toast("Marked as Paid Out")).toBeVisible();
  await expect(orders.row(phone.name)).toBeHidden();
  await expect(earnings.row(phone.name)).toContainText("Reference: Transfer 12");
  await expect(statistic("To be paid out")).toContainText("$0");
  await expect(statistic("Paid out")).toContainText("$304");
  await checkScreen(earnings.page, "earnings");

  await orders.open("orders?payout=paidOut");
  await checkScreen(orders.page, "orders");
  await markPage(orders.page);
  await orders.button(phone.name, "Refund").click();
  await orders.page.getByLabel("Reason").fill("It was stolen");
  await orders.page
    .getByRole("dialog")
    .getByRole("button", { name: /^Refund .*\$/ })
    .click();
  await expect(earnings.row(phone.name)).toContainText("You owe this");
  await expect(statistic("You owe")).toContainText("$304");
  await earnings.row(phone.name).getByRole("link", { name: phone.name }).click();
  await expect(earnings.page).toHaveURL(new RegExp(`/dashboard/order/${id}$`));
  await provider.close();
});
