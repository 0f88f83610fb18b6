import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { checkScreen } from "../support/screenChecks";

const notificationsLink = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: /^Notifications/ });
const expectUnread = async (page: Page, count: number) =>
  expect(notificationsLink(page)).toHaveAccessibleName(
    count === 0 ? "Notifications" : `Notifications, ${count} unread`,
  );

test("a seller is notified of a booking in two browsers, and reading it in one marks it as read in both", {
  tag: "@nodes",
}, async ({ brand, people, unique, visit, markPage }) => {
  const seller = await people.seller();
  const buyer = await people.buyer();
  const phone = await seller.list(unique("Pocket phone"), brand);
  const [first, second] = [await visit(seller), await visit(seller)];
  for (const page of [first, second]) {
    await page.goto("/blog");
    await expectUnread(page, 0);
    await markPage(page);
  }

  const order = await buyer.book(phone);
  for (const page of [first, second]) await expectUnread(page, 1);

  await notificationsLink(first).click();
  const rows = first.getByRole("list", { name: "Your notifications" }).getByRole("listitem");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(`${phone.name} was booked.`);
  await expect(rows).toContainText("New");
  for (const page of [first, second]) await expectUnread(page, 0);

  await buyer.request("delete", `/bookings/${order}`);
  await expect(rows).toHaveCount(2);
  await expect(rows.last(), "an event moves no row").toContainText("available again");
  await first.getByRole("button", { name: "Show 1 new" }).click();
  await expect(rows.first()).toContainText("available again");
  await rows.first().getByRole("link").click();
  await expect(first.getByRole("heading", { name: "My Products: 1" })).toBeVisible();
});

test("a buyer without notifications sees an empty list", async ({ people, visit }) => {
  const page = await visit(await people.buyer());
  await page.goto("/dashboard/notifications");
  await expect(page.getByText("No notifications yet")).toBeVisible();
});

test("a choice of emails is saved at once, by keyboard, and appears in the other browser", async ({
  people,
  visit,
}) => {
  const buyer = await people.buyer();
  const [page, other] = [await visit(buyer), await visit(buyer)];
  const choice = (target: Page) => target.getByRole("combobox", { name: "Price drops" });
  await other.goto("/dashboard/notifications#emails");
  await expect(choice(other)).toHaveValue("off");

  await page.goto("/dashboard/notifications");
  const chooseEmails = page.getByRole("button", { name: "Email settings" });
  await chooseEmails.focus();
  await page.keyboard.press("Enter");
  await choice(page).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(choice(other)).toHaveValue("now");
  await checkScreen(other, "emails");
  await page.reload();
  await chooseEmails.click();
  await expect(choice(page)).toHaveValue("now");
});
