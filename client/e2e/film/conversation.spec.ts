import { resolve } from "node:path";
import { expect, test } from "../fixtures";
import { MessagesPage, PaymentPage } from "../pages";
import { Person } from "../support/person";
import { freePhone } from "./freePhone";
import { FilmedWindow, Recorder, TELEPHONE } from "./recorder";

const FILM = resolve("../docs/pictures/conversation.webp");

test("a buyer asks and offers, the seller answers and asks another price, and the buyer accepts and pays", async ({
  browser,
  market,
  visit,
  markPage,
}) => {
  test.setTimeout(600_000);
  const maya = await Person.demo(market, "buyer2");
  const nusrat = await Person.demo(market, "seller-verified");
  const phone = await freePhone(nusrat, 0);
  const offer = String(Math.round(phone.resalePrice * 0.88));
  const answer = String(Math.round(phone.resalePrice * 0.95));

  const left = new FilmedWindow(await visit(maya, TELEPHONE), "Maya's telephone");
  const right = new FilmedWindow(await visit(nusrat, TELEPHONE), "Nusrat's telephone");
  const [buyer, seller] = [new MessagesPage(left.page), new MessagesPage(right.page)];
  await seller.open();
  await expect(seller.page.getByRole("main")).toContainText("Messages");
  await left.page.goto(`/phone/${phone._id}`);
  const ask = left.page.getByRole("link", { name: "Ask the seller" }).first();
  await expect(ask).toBeVisible();
  await ask.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await markPage(right.page);
  await left.page.waitForTimeout(2_000);

  const recorder = new Recorder([left, right]);
  const pause = (): Promise<void> => left.page.waitForTimeout(1_000);
  await pause();
  await left.click(ask);
  await expect(buyer.field).toBeVisible();
  await left.type(buyer.field, "Any faults that the photos don't show?");
  await left.click(buyer.send);

  const conversation = seller.list.getByRole("link").filter({ hasText: phone.name });
  await expect(conversation).toBeVisible();
  await pause();
  await right.click(conversation);
  await right.type(seller.field, "One small scratch on the back.");
  await right.click(seller.send);
  await expect(buyer.line("One small scratch")).toBeVisible();
  await pause();

  await left.click(buyer.button("Make an offer"));
  await left.type(left.page.getByLabel("Your price"), offer);
  await left.type(left.page.getByRole("main").getByLabel("Phone", { exact: true }), "01711 000222");
  await left.click(buyer.button("Send offer"));
  const counter = seller.button("Ask another price");
  await expect(counter).toBeVisible();
  await pause();
  await right.click(counter);
  await right.type(right.page.getByLabel("Price that you ask"), answer);
  await right.click(seller.button("Send price"));
  const accept = buyer.button(`Accept $${answer}`);
  await expect(accept).toBeVisible();
  await pause();

  await left.click(accept);
  const pay = buyer.lines.getByRole("link", { name: `Pay $${answer}` });
  await expect(pay).toBeVisible();
  await expect(seller.lines.getByText("Booked until")).toBeVisible();
  await left.page.waitForTimeout(1_500);
  await left.click(pay);
  const payment = new PaymentPage(left.page);
  await expect(payment.number).toBeVisible();
  await payment.number.scrollIntoViewIfNeeded();
  await payment.fill("success");
  await left.click(payment.pay);
  await payment.expectPaid();
  await expect(seller.page.getByRole("main")).toContainText("Sold");
  await left.page.waitForTimeout(2_500);
  await recorder.save(browser, FILM);
});
