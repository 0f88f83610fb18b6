import { expect, test } from "../fixtures";
import { CategoryPage, LoginPage } from "../pages";
import { checkScreen } from "../support/screenChecks";

test("a phone that is watched in one browser appears in the others, with its latest price", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const phone = await seller.list(unique("Watched"), brand);
  const buyer = await people.buyer();
  const [page, other] = [await visit(buyer), await visit(buyer)];
  await other.goto("/dashboard/watching");
  await expect(other.getByText("You are not watching any phones")).toBeVisible();
  const category = await new CategoryPage(page).open(brand);
  const watchButton = category.card(phone.name).root.getByRole("button", { name: `Watch ${phone.name}` });
  await expect(watchButton).toHaveAttribute("aria-pressed", "false");
  await watchButton.click();
  await expect(watchButton).toHaveAttribute("aria-pressed", "true");

  const card = other.getByRole("article", { name: phone.name, exact: true });
  await expect(card).toBeVisible();
  await seller.call("patch", `/products/${phone._id}`, { resalePrice: 123 });
  await expect(card).toContainText("$123");
  await checkScreen(other, "watching");
  await card.getByRole("button", { name: `Watch ${phone.name}` }).click();
  await expect(watchButton).toHaveAttribute("aria-pressed", "false");
  await expect(other.getByText(/You no longer watch this phone/)).toBeVisible();
});

test("a search is saved from its results, opened again and deleted", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("Rare"), brand);
  const page = await visit(await people.buyer(), { viewport: { width: 360, height: 640 } });
  const words = encodeURIComponent(phone.name);
  await page.goto(`/search?q=${words}`);
  await expect(page.getByRole("article", { name: phone.name, exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Save this search" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this search" });
  await expect(dialog.getByLabel("Name")).not.toHaveValue("");
  await dialog.getByLabel("Name").fill("A rare one");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Search saved")).toBeVisible();
  await page.goto("/dashboard/watching");
  await checkScreen(page, "saved-searches");
  await page.getByRole("link", { name: "A rare one" }).click();
  await expect(page.getByRole("article", { name: phone.name, exact: true })).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Delete the saved search A rare one" }).click();
  await expect(page.getByText("You have no saved searches")).toBeVisible();
});

test("a phone that a visitor watches is watched after the login", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("Liked"), brand);
  const buyer = await people.buyer();
  const page = await visit();
  await page.goto(`/phone/${phone._id}`);
  const watchButton = page.getByRole("button", { name: `Watch ${phone.name}` });
  await watchButton.click();
  await expect(page.getByText(`Log in to watch ${phone.name}`)).toBeVisible();
  await new LoginPage(page).signIn(buyer);
  await expect(page).toHaveURL(new RegExp(`/phone/${phone._id}$`));
  await expect(page.getByText(`You are watching ${phone.name}.`)).toBeVisible();
  await expect(watchButton).toHaveAttribute("aria-pressed", "true");
});
