import { expect, test } from "../fixtures";
import { CategoryPage } from "../pages";

test("a phone goes to those who wait for it in turn, on every open screen", { tag: "@nodes" }, async ({
  ownMarket,
  unique,
  visit,
  markPage,
}) => {
  const { brand, people } = await ownMarket({ TURN: "8s" });
  const phone = await (await people.seller()).list(unique("Awaited"), brand);
  const holder = await people.buyer();
  const first = await people.buyer();
  const second = await people.buyer();
  const order = await holder.book(phone);

  const [page, later, onlooker] = [
    await visit(first),
    await visit(second),
    await visit(await people.buyer()),
  ];
  const cardIn = async (window: typeof page) => {
    const card = (await new CategoryPage(window).open(brand)).card(phone.name);
    await expect(card.root.getByRole("button", { name: "Wait for it" })).toBeVisible();
    await markPage(window);
    return card.root;
  };
  const cards = { first: await cardIn(page), second: await cardIn(later), seen: await cardIn(onlooker) };
  for (const card of [cards.first, cards.second]) {
    await card.getByRole("button", { name: "Wait for it" }).click();
    const dialog = card.page().getByRole("dialog", { name: `Wait for ${phone.name}` });
    await expect(dialog).toContainText("you have 8 seconds to pay");
    await dialog.getByLabel("Phone").fill("01711 000000");
    await dialog.getByRole("button", { name: "Join the waitlist" }).click();
    await expect(card.getByRole("button", { name: "Leave the waitlist" })).toBeFocused();
  }
  await expect(cards.first).toContainText("You are next");
  await expect(cards.second).toContainText("2nd in line");
  await expect(cards.seen).toContainText("On hold · 2 waiting");

  await holder.request("delete", `/bookings/${order}`);
  const banner = page.getByRole("region", { name: "It's your turn" });
  await expect(banner).toContainText(`${phone.name} is booked for you until`);
  await expect(banner.getByRole("link", { name: `Pay for ${phone.name}` })).toBeVisible();
  await expect(cards.second).toContainText("You are next");
  await expect(cards.seen).toContainText("On hold · 1 waiting");

  // The turn of the first ends unpaid.
  const turn = later.getByRole("region", { name: "It's your turn" });
  await turn.getByRole("link", { name: `Pay for ${phone.name}` }).click();
  await expect(later).toHaveURL(/\/dashboard\/payment\//);
  await expect(banner).toBeHidden();
  await expect(cards.seen.getByText("Booked", { exact: true })).toBeVisible();
});
