import { expect, test } from "../fixtures";
import { MessagesPage, PhonePage } from "../pages";

test("two people ask, answer, offer, counter and agree, and the phone is booked on every open screen", {
  tag: ["@nodes", "@translated"],
}, async ({ brand, people, unique, visit, markPage }) => {
  const [selling, asking] = [await people.seller(), await people.buyer()];
  const phone = await selling.list(unique("Talked about"), brand, { resalePrice: 200 });
  const watcher = await visit(await people.buyer());
  await new PhonePage(watcher).open(phone);
  await expect(watcher.getByRole("button", { name: "Book Now" }).first()).toBeVisible();
  await markPage(watcher);

  const seller = new MessagesPage(await visit(selling));
  await seller.open();
  await expect(seller.page.getByText("No messages yet")).toBeVisible();
  await markPage(seller.page);
  const buyer = await new MessagesPage(await visit(asking)).ask(phone);
  await buyer.button("Is it still available?").click();
  await buyer.send.click();
  await expect(buyer.line("Is it still available?")).toBeVisible();
  await markPage(buyer.page);

  // The first message opens a conversation on the seller's screen.
  await expect(seller.bell).toHaveAccessibleName("Messages, 1 unread");
  await seller.list.getByRole("link").first().click();
  await expect(seller.line("Is it still available?")).toBeVisible();
  await expect(seller.bell).toHaveAccessibleName("Messages");
  await seller.say("Yes, it is.");
  await expect(buyer.line("Yes, it is.")).toBeVisible();

  await buyer.button("Make an offer").click();
  await buyer.page.getByLabel("Your price").fill("150");
  await buyer.page.getByRole("main").getByLabel("Phone", { exact: true }).fill("01711 000000");
  await buyer.button("Send offer").click();
  await expect(seller.lines.getByText("$150 offered for $200")).toBeVisible();
  await seller.button("Ask another price").click();
  await seller.page.getByLabel("Price that you ask").fill("180");
  await seller.button("Send price").click();
  await expect(seller.lines.getByText("Asks $180 instead of $150.")).toBeVisible();

  await buyer.button("Accept $180").click();
  const pay = buyer.lines.getByRole("link", { name: "Pay $180" });
  await expect(pay).toBeVisible();
  await expect(buyer.page.getByRole("region", { name: "Your offer is accepted" })).toContainText(phone.name);
  await expect(seller.lines.getByText("Booked until")).toBeVisible();
  await expect(watcher.getByText("Booked", { exact: true }).first()).toBeVisible();
  await pay.click();
  await expect(buyer.page.getByRole("main").getByText("$180").first()).toBeVisible();
});

test("messages that are written offline stay in place, and are sent once and in order", async ({
  brand,
  people,
  unique,
  visit,
  problems,
}) => {
  const [selling, asking] = [await people.seller(), await people.buyer()];
  const phone = await selling.list(unique("Offline"), brand);
  const buyer = await new MessagesPage(await visit(asking)).ask(phone);
  await buyer.say("Hello");
  await expect(buyer.line("Hello")).toBeVisible();

  problems.expect(/ERR_|WebSocket|Failed to load/);
  await buyer.page.context().setOffline(true);
  await buyer.say("First");
  await expect(buyer.line("First")).toContainText("Not sent");
  await buyer.say("Second");
  await buyer.page.context().setOffline(false);
  await expect(buyer.lines.getByText("Not sent")).toHaveCount(0);

  const seller = await new MessagesPage(await visit(selling)).open();
  await seller.list.getByRole("link").first().click();
  await expect(seller.lines.getByRole("listitem")).toHaveText([/Hello/, /First/, /Second/]);
  await expect(buyer.lines.getByRole("listitem")).toHaveText([/Hello/, /First/, /Second/]);
});

test("a message with contact data says why it is not sent, and a phone number can be sent nevertheless", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("Contact"), brand);
  const buyer = await new MessagesPage(await visit(await people.buyer())).ask(phone);
  await buyer.say("Hello");
  await expect(buyer.line("Hello")).toBeVisible();
  await buyer.say("Write to bashir@example.com");
  await expect(buyer.page.getByText("Email addresses cannot be sent before the phone is paid")).toBeVisible();
  await expect(buyer.field).toHaveValue("Write to bashir@example.com");
  await buyer.say("Call 01711 223344");
  await expect(buyer.page.getByText("This looks like a phone number")).toBeVisible();
  await buyer.button("Send anyway").click();
  await expect(buyer.line("Call 01711 223344")).toBeVisible();
});

test("a blocked person cannot write, and the one who blocks can end it", async ({
  brand,
  people,
  unique,
  visit,
  problems,
}) => {
  const [selling, asking] = [await people.seller(), await people.buyer()];
  const phone = await selling.list(unique("Blocked"), brand);
  const buyer = await new MessagesPage(await visit(asking)).ask(phone);
  await buyer.say("Hello");
  await expect(buyer.line("Hello")).toBeVisible();
  const seller = await new MessagesPage(await visit(selling)).open();
  await seller.list.getByRole("link").first().click();
  await seller.button("Block").click();
  await seller.page.getByRole("alertdialog").getByRole("button", { name: "Block" }).click();
  await expect(seller.page.getByText("You have blocked this person.")).toBeVisible();

  problems.expect(/403/);
  await buyer.say("Are you there?");
  await expect(buyer.line("Are you there?")).toContainText("You cannot write to this person");
  await seller.page.getByRole("main").getByRole("button", { name: "Unblock" }).last().click();
  await expect(seller.field).toBeVisible();
});
