import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard } from "../pages";
import { violations } from "../support/screenChecks";

const WORDS = "The photos show another phone than the one that is sold.";
const ANSWER = "We looked at the photos of the back again.";

test("a seller is reported twice, decided, asks to look again by the letter, and gets the phone back, in four windows", {
  tag: "@nodes",
}, async ({ ownMarket, emailServer, unique, visit, markPage }) => {
  test.slow();
  const { market, adminUser, brand, people } = await ownMarket(emailServer.settings());
  const seller = await people.seller();
  const confirm = await emailServer.link(seller.email, "Confirm your email address for SecondRing");
  await seller.call("post", "/identity/verify", { token: confirm.replace(/.*#token=/, "") });
  const phone = await seller.list(unique("Doubtful"), brand);
  const title = `${brand.name} ${phone.name}`;
  const [first, second] = [await people.buyer(), await people.buyer()];
  await first.report(phone, "It is another model");

  const shop = await new CategoryPage(await visit(first)).open(brand);
  const card = shop.card(phone.name);
  await expect(card.bookNow).toBeVisible();
  const own = await new Dashboard(await visit(seller)).open("decisions");
  await expect(own.page.getByText("There are no decisions about you")).toBeVisible();
  const other = await new Dashboard(await visit(await people.admin())).open("cases");
  const judge = await new Dashboard(await visit(adminUser)).open("cases");
  await judge.page.getByRole("link", { name: title, exact: true }).click();
  await expect(judge.heading("1 report")).toBeVisible();
  for (const { page } of [shop, own, other, judge]) await markPage(page);

  await second.report(phone, "Stolen from a shop");
  await expect(judge.heading("2 reports")).toBeVisible();
  await expect(judge.page.getByText("Stolen from a shop")).toBeVisible();
  await expect(other.page.getByText("2 reports")).toBeVisible();

  const decide = judge.page.getByRole("form", { name: "Your decision" });
  await decide.getByText("Remove the phone").click();
  await decide.getByText("Not as shown").click();
  await decide.getByLabel("Your words to them").fill(WORDS);
  await expect(decide.getByRole("region", { name: "This is what they will read" })).toContainText(WORDS);
  expect(await violations(judge.page)).toEqual([]);
  await decide.getByRole("button", { name: "Decide" }).click();
  await expect(judge.heading("The decision")).toBeVisible();

  await expect(card.root).toBeHidden();
  await expect(own.page.getByText(`We have removed your ${title}.`, { exact: false })).toBeVisible();
  await expect(own.page.getByText(WORDS)).toBeVisible();
  await expect(other.page.getByRole("link", { name: title, exact: true })).toBeHidden();

  const subject = `We have removed your ${title} at SecondRing`;
  expect(await emailServer.text(seller.email, subject)).toContain(WORDS);
  const letter = await visit(null, { baseURL: market.nextUrl("page") });
  await letter.goto(await emailServer.link(seller.email, subject));
  await letter.getByLabel("Why should we look again?").fill("Look at the back, please.");
  expect(await violations(letter)).toEqual([]);
  await letter.getByRole("button", { name: "Send" }).click();
  await expect(letter.getByText("Thank you. Somebody will look at it again.")).toBeVisible();
  await expect(own.page.getByText("Somebody will look at it again.")).toBeVisible();

  await other.page.getByRole("link", { name: title, exact: true }).click();
  await expect(other.page.getByText("Look at the back, please.")).toBeVisible();
  const again = other.page.getByRole("form", { name: "Look again" });
  await again.getByText("Take back").click();
  await again.getByLabel("Your words to them").fill(ANSWER);
  await again.getByRole("button", { name: "Decide" }).click();
  await expect(judge.page.getByText("The decision was taken back")).toBeVisible();
  await expect(own.page.getByText("We have looked again, and taken the decision back.")).toBeVisible();
  await expect(card.bookNow).toBeVisible();
  const outcome = `We have looked again at our decision about ${title}`;
  expect(await emailServer.text(seller.email, outcome)).toContain(ANSWER);
});
