import { resolve } from "node:path";
import { expect, test } from "../fixtures";
import { CategoryPage } from "../pages";
import { Person } from "../support/person";
import { FilmedWindow, Recorder, WINDOW } from "./recorder";

const FILM = resolve("../docs/pictures/secondring.webp");

test("a phone is booked in one window and shows as Booked in the other", async ({
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
    await markPage(page);
  }
  await left.page.waitForTimeout(2_000);

  const recorder = new Recorder([left, right]);
  await left.page.waitForTimeout(800);
  await left.click(booked.getByRole("button", { name: "Book Now" }));
  const dialog = left.page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await left.page.waitForTimeout(500);
  await left.scroll(400);
  await left.click(dialog.locator("[name=phone]"));
  await left.page.keyboard.type("+880 1711-000111", { delay: 60 });
  await left.click(dialog.locator("[type=submit]"));
  await expect(watched.getByText("Booked", { exact: true })).toBeVisible();
  await left.page.waitForTimeout(3_000);
  await recorder.save(browser, FILM);
});
