import type { Page } from "@playwright/test";
import { OrderPage, type Photograph } from "../pages";
import { expect, test } from "../paymentFixtures";

const OF_PROBLEM = "Photograph 1 of the problem, by the buyer";
const OF_ANSWER = "Photograph 1 of the answer, by the seller";

/** A picture of what a page shows. */
async function pictureOf(page: Page): Promise<Photograph> {
  return { name: "photo.jpg", mimeType: "image/jpeg", buffer: await page.screenshot({ type: "jpeg" }) };
}

test("a problem with photographs ends with a return and a refund, on the screens of both sides and an admin", {
  tag: "@nodes",
}, async ({ order, provider, adminUser, visit, markPage }) => {
  test.slow();
  const { id, seller, buyer } = order;
  await provider.pay(buyer, id);
  const buyerOrder = await new OrderPage(await visit(buyer)).open(id);
  const sellerOrder = await new OrderPage(await visit(seller)).open(id);
  const adminOrder = await new OrderPage(await visit(adminUser)).open(id);
  await expect(buyerOrder.heading(`Next: get your phone from ${seller.name}`)).toBeVisible();
  await expect(sellerOrder.heading(`Meet ${buyer.name} and hand over the phone`)).toBeVisible();
  await expect(adminOrder.heading(`${seller.name} meets ${buyer.name}`)).toBeVisible();
  const all = [buyerOrder, sellerOrder, adminOrder];
  for (const { page } of all) await markPage(page);

  await buyerOrder.reportProblem("The screen is broken", {
    category: "It is damaged, or something does not work",
    photos: [await pictureOf(buyerOrder.page)],
  });
  await expect(buyerOrder.heading("We are looking into the problem")).toBeVisible();
  await expect(sellerOrder.heading(`${buyer.name} has reported a problem`)).toBeVisible();
  await expect(adminOrder.heading(`Decide on the problem that ${buyer.name} reported`)).toBeVisible();
  await expect(adminOrder.page.getByText(`No answer from ${seller.name} yet`)).toBeVisible();
  for (const each of all) await each.expectPhoto(OF_PROBLEM);

  await sellerOrder.answerProblem("It was whole when I gave it away", [await pictureOf(sellerOrder.page)]);
  await expect(sellerOrder.action("Answer the problem")).toHaveCount(0);
  for (const each of all) {
    await expect(each.page.getByText("It was whole when I gave it away")).toBeVisible();
    await each.expectPhoto(OF_ANSWER);
  }
  await adminOrder.photo(OF_ANSWER).click();
  await expect(adminOrder.page.getByRole("dialog", { name: OF_ANSWER })).toBeVisible();
  await adminOrder.page.keyboard.press("Escape");

  await adminOrder.decide("Return first", "Send it back, please");
  await expect(buyerOrder.heading(`Send the phone back to ${seller.name}`)).toBeVisible();
  await expect(sellerOrder.heading(`${buyer.name} returns the phone to you`)).toBeVisible();
  await expect(adminOrder.heading(`${buyer.name} returns the phone to ${seller.name}`)).toBeVisible();

  await buyerOrder.page.getByLabel("Carrier").fill("Royal Mail");
  await buyerOrder.page.getByLabel("Tracking number").fill("RM 9");
  await buyerOrder.confirm("I have sent it back");
  await expect(buyerOrder.heading(`The phone is on its way back to ${seller.name}`)).toBeVisible();
  await expect(sellerOrder.heading("Check the returned phone")).toBeVisible();

  await sellerOrder.confirm("I have it back");
  await expect(buyerOrder.heading("Your money was refunded")).toBeVisible();
  await expect(sellerOrder.heading("The sale was refunded")).toBeVisible();
  await expect(adminOrder.heading("This order was refunded")).toBeVisible();
  for (const { timeline } of all) {
    await expect(timeline).toContainText([
      "Booked",
      "Paid",
      "Problem reported by the buyer",
      "Answered by the seller",
      "Sent back by the buyer",
      "Refunded to the buyer",
    ]);
  }
});
