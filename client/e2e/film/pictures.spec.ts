import { resolve } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard, OrderPage, PaymentPage, PhonePage } from "../pages";
import { Person, type Phone } from "../support/person";
import { finishAnimations, loadImages } from "../support/screenChecks";
import { freePhone } from "./freePhone";
import { FilmedWindow, pictureOfWindows, WINDOW } from "./recorder";

const DESKTOP = { viewport: { width: 1280, height: 860 } };
const TELEPHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 1.5,
  colorScheme: "dark",
} as const;

/** Takes a picture for the README, when everything in the window is loaded and nothing moves. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  await loadImages(page);
  await finishAnimations(page);
  await page.screenshot({ path: resolve(`../docs/pictures/${name}.jpg`), type: "jpeg", quality: 82 });
}

/** A phone's card; others may have the same name. */
function cardOf(page: Page, phone: Phone): Locator {
  return page.getByRole("article").filter({ has: page.locator(`a[href="/phone/${phone._id}"]`) });
}

test("six pictures of the product", async ({ browser, market, visit }) => {
  test.setTimeout(300_000);
  const rafi = await Person.demo(market, "buyer");
  const maya = await Person.demo(market, "buyer2");
  const nusrat = await Person.demo(market, "seller-verified");
  const admin = await Person.demo(market, "admin");

  const first = await freePhone(nusrat, 0);
  const phonePage = await new PhonePage(await visit(rafi, DESKTOP)).open(first);
  await expect(phonePage.page.getByRole("heading", { level: 1 })).toBeVisible();
  await take(phonePage.page, "phone");

  // Two people book one phone.
  const left = new FilmedWindow(await visit(rafi, WINDOW), "Rafi's window");
  const right = new FilmedWindow(await visit(maya, WINDOW), "Maya's window");
  for (const { page } of [left, right]) {
    await new CategoryPage(page).open({ _id: first.id });
    const card = cardOf(page, first);
    await card.getByRole("button", { name: "Book Now" }).click();
    await page.getByRole("dialog").getByLabel("Phone").fill("+880 1711-000111");
  }
  await left.page.getByRole("dialog").locator("[type=submit]").click();
  await expect(left.page.getByRole("dialog")).toBeHidden();
  await cardOf(left.page, first).evaluate((card) => card.scrollIntoView({ block: "center" }));
  await expect(right.page.getByRole("dialog")).toContainText("This phone has just been booked.");
  for (const { page } of [left, right]) await finishAnimations(page);
  await pictureOfWindows(browser, [left, right], resolve("../docs/pictures/clash.jpg"));

  // The order of the one who was first, with the code for the seller.
  const [order] = (await rafi.orders()).filter(({ productID }) => productID === first._id);
  if (!order) throw new Error("Rafi has no order");
  const payment = await new PaymentPage(await visit(rafi, DESKTOP)).open(order._id);
  await payment.payWith("success");
  await payment.expectPaid();
  const orderPage = await new OrderPage(payment.page).open(order._id);
  await orderPage.showCode();
  await take(orderPage.page, "order");

  const selling = await new Dashboard(await visit(nusrat, DESKTOP)).open("");
  await expect(selling.page.getByRole("heading", { level: 1 })).toBeVisible();
  await take(selling.page, "seller");

  await maya.report(await freePhone(nusrat, 1), "The price looks too good to be true");
  const desk = await new Dashboard(await visit(admin, DESKTOP)).open("");
  await expect(desk.page.getByRole("heading", { level: 1 })).toBeVisible();
  await take(desk.page, "admin");

  const telephone = await new CategoryPage(await visit(maya, TELEPHONE)).open({ _id: first.id });
  await expect(telephone.cards.first()).toBeVisible();
  await take(telephone.page, "telephone");
});
