import { resolve } from "node:path";
import { expect, test } from "../fixtures";
import { CategoryPage } from "../pages";
import { Person } from "../support/person";
import { FilmedWindow, Recorder, WINDOW } from "./recorder";

const FILM = resolve("../docs/pictures/secondring.webp");

test("a buyer who waits for a booked phone gets it when the booking is cancelled", async ({
  browser,
  market,
  visit,
  markPage,
}) => {
  const rafi = await Person.demo(market, "buyer");
  const maya = await Person.demo(market, "buyer2");
  const brand = (await rafi.brands()).find(({ name }) => name === "Apple");
  if (!brand) throw new Error("the demo has no Apple");
  const left = new FilmedWindow(await visit(rafi, WINDOW), "Rafi's window");
  const right = new FilmedWindow(await visit(maya, WINDOW), "Maya's window");

  // The second phone of the list, in both windows.
  const [booked, watched] = [left, right].map(({ page }) => page.getByRole("article").nth(1));
  if (!booked || !watched) throw new Error("there are two windows");
  for (const [{ page }, card] of [[left, booked] as const, [right, watched] as const]) {
    await new CategoryPage(page).open(brand);
    await expect(card.getByRole("button", { name: "Book Now" })).toBeVisible();
    await card.evaluate((element) => element.scrollIntoView({ block: "end" }));
    await page.mouse.wheel(0, 12);
  }
  await markPage(right.page);
  await left.page.waitForTimeout(2_000);

  const recorder = new Recorder([left, right]);
  await left.page.waitForTimeout(800);
  await left.click(booked.getByRole("button", { name: "Book Now" }));
  const dialog = left.page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await left.page.waitForTimeout(500);
  await dialog.locator("[name=phone]").fill("+880 1711-000111");
  await left.click(dialog.locator("[type=submit]"));
  const wait = watched.getByRole("button", { name: "Join waitlist" });
  await expect(wait).toBeVisible();
  await left.page.waitForTimeout(1_000);

  await right.click(wait);
  const request = right.page.getByRole("dialog");
  await expect(request).toBeVisible();
  await right.page.waitForTimeout(300);
  await request.getByLabel("Phone").fill("+880 1711-000222");
  await right.click(request.getByRole("button", { name: "Join waitlist" }));
  await expect(watched).toContainText("You are next");
  await right.page.waitForTimeout(1_000);

  // The page is not loaded anew: while it is, there is nothing to record.
  await left.click(left.page.getByRole("button", { name: "Open menu" }));
  await left.click(left.page.getByRole("link", { name: "My Orders", exact: true }).first());
  const cancel = left.page.getByRole("button", { name: /^Cancel/ }).first();
  await expect(cancel).toBeVisible();
  await left.page.waitForLoadState("networkidle");
  await left.click(cancel);
  const question = left.page.getByRole("alertdialog");
  await expect(question).toBeVisible();
  await left.click(question.getByRole("button", { name: "Cancel booking", exact: true }));
  await expect(right.page.getByRole("region", { name: "It's your turn" })).toBeVisible();
  await left.page.waitForTimeout(3_000);
  await recorder.save(browser, FILM);
});
