import { expect, test } from "../fixtures";
import { CategoryPage } from "../pages";

test("the buyers on a phone's waitlist get it in order, on every open screen", {
  tag: ["@nodes", "@translated"],
}, async ({ ownMarket, unique, visit, markPage }) => {
  const { brand, people } = await ownMarket({ TURN: "20s" });
  const phone = await (await people.seller()).list(unique("Awaited"), brand);
  const holder = await people.buyer();
  const first = await people.buyer();
  const second = await people.buyer();
  const order = await holder.book(phone);

  const [firstPage, secondPage, otherPage] = [
    await visit(first),
    await visit(second),
    await visit(await people.buyer()),
  ];
  const openCard = async (page: typeof firstPage) => {
    const card = (await new CategoryPage(page).open(brand)).card(phone.name);
    await expect(card.root.getByRole("button", { name: "Join waitlist" })).toBeVisible();
    await markPage(page);
    return card.root;
  };
  const cards = {
    first: await openCard(firstPage),
    second: await openCard(secondPage),
    other: await openCard(otherPage),
  };
  for (const card of [cards.first, cards.second]) {
    await card.getByRole("button", { name: "Join waitlist" }).click();
    const dialog = card.page().getByRole("dialog", { name: `Wait for ${phone.name}` });
    await expect(dialog).toContainText("you have 20 seconds to pay");
    await dialog.getByLabel("Phone").fill("01711 000000");
    await dialog.getByRole("button", { name: "Join waitlist" }).click();
    await expect(card.getByRole("button", { name: "Leave waitlist" })).toBeFocused();
  }
  await expect(cards.first).toContainText("You are next");
  await expect(cards.second).toContainText("2nd in line");
  await expect(cards.other).toContainText("On hold · 2 waiting");

  await holder.request("delete", `/bookings/${order}`);
  const banner = firstPage.getByRole("region", { name: "It's your turn" });
  await expect(banner).toContainText(`${phone.name} is booked for you until`);
  await expect(banner.getByRole("link", { name: `Pay for ${phone.name}` })).toBeVisible();
  await expect(cards.second).toContainText("You are next");
  await expect(cards.other).toContainText("On hold · 1 waiting");

  // The first buyer does not pay in time.
  const secondBanner = secondPage.getByRole("region", { name: "It's your turn" });
  await expect(secondBanner).toBeVisible();
  await expect(cards.other.getByText("Booked", { exact: true })).toBeVisible();
  await secondBanner.getByRole("link", { name: `Pay for ${phone.name}` }).click();
  await expect(secondPage).toHaveURL(/\/dashboard\/payment\//);
  await expect(banner).toBeHidden();
});
