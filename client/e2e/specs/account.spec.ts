import { readFile } from "node:fs/promises";
import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard } from "../pages";
import { photograph } from "../support/testImage";

test("a buyer exports their data and deletes the account, and their hold ends on every screen", async ({
  brand,
  people,
  unique,
  visit,
  markPage,
  problems,
}) => {
  problems.expect(/status of 401 .*\/identity\/sign-out$/);
  const seller = await people.seller();
  const phone = await seller.list(unique("Held"), brand);
  const buyer = await people.buyer();
  await buyer.book(phone);

  const watcherPage = await visit(await people.buyer());
  const card = (await new CategoryPage(watcherPage).open(brand)).card(phone.name);
  await expect(card.bookNow).toBeHidden();
  await markPage(watcherPage);

  const page = await visit(buyer);
  await new Dashboard(page).open("myOrders");
  await page.getByRole("link", { name: "Your account" }).click();
  await expect(page.getByRole("heading", { name: "Your account", exact: true })).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download my data" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("secondring-data.json");
  const data = await readFile(await file.path(), "utf8");
  expect(JSON.parse(data)).toMatchObject({
    account: { email: buyer.email },
    bookings: [{ productID: phone._id }],
  });
  expect(data).not.toContain(seller.email);

  await page.getByLabel("Password", { exact: true }).fill(buyer.password);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText("Your account has been deleted.")).toBeVisible();
  await expect(card.bookNow).toBeVisible();
});

test("a buyer chooses a photo for their account, and removes it", async ({ market, people, visit }) => {
  const page = await visit(await people.buyer());
  await new Dashboard(page).open("account");
  const photo = page.getByRole("main").locator("img");
  await page.locator("input[type=file]").setInputFiles(await photograph(market));
  await expect(page.getByText("Your photo is saved")).toBeVisible();
  await expect(photo).toHaveJSProperty("complete", true);
  // Each screen shows it small, so the browser has made it small.
  expect(
    await photo.evaluate(({ naturalHeight, naturalWidth }: HTMLImageElement) => [
      naturalHeight,
      naturalWidth,
    ]),
  ).toContain(320);
  await page.reload();
  await expect(photo).toBeVisible();
  await page.getByRole("button", { name: "Remove photo" }).click();
  await expect(photo).toBeHidden();
});
