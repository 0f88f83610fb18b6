import { expect, test } from "../fixtures";
import { CategoryPage, Dashboard, HomePage } from "../pages";
import { expectNoShift, resetShifts } from "../support/layoutShifts";

test("a seller who is verified by an admin may advertise at once, on an open screen", {
  tag: "@nodes",
}, async ({ brand, adminUser, people, unique, visit, markPage }) => {
  const seller = await people.seller();
  const phone = await seller.list(unique("Modest"), brand);

  const sellerPage = await visit(seller);
  const myProducts = await new Dashboard(sellerPage).open("myProducts");
  const advertise = myProducts.button(phone.name, "Advertise");
  await expect(advertise).toBeDisabled();
  await expect(myProducts.row(phone.name)).toContainText("Get verified by an admin to advertise");

  await sellerPage.getByRole("button", { name: "How to get verified" }).click();
  const help = sellerPage.getByRole("dialog", { name: "How to get verified" });
  await expect(help.getByRole("link", { name: "Write to hello@example.com" })).toBeVisible();
  await help.getByRole("button", { name: "Close" }).click();

  const buyerPage = await visit(await people.buyer());
  const card = (await new CategoryPage(buyerPage).open(brand)).card(phone.name);
  await expect(card.bookNow).toBeVisible();
  await expect(card.badge).toBeHidden();

  const visitorPage = await visit();
  const home = await new HomePage(visitorPage).open();
  await expect(home.advertised.getByRole("article").first()).toBeVisible();
  await expect(home.item(phone.name)).toBeHidden();
  for (const page of [sellerPage, buyerPage, visitorPage]) await markPage(page);

  const admin = await new Dashboard(await visit(adminUser)).open("allSellers");
  await admin.expectColumns("Name", "Email", "Status", "Verify", "Delete");
  await expect(admin.row(seller.name)).toContainText("Not verified");
  await admin.verify(seller.name);
  await expect(admin.toast("Seller is Verified Now")).toBeVisible();
  await expect(admin.row(seller.name)).toContainText("verified");
  await expect(admin.button(seller.name, "Make Verified")).toBeHidden();

  await expect(card.badge).toBeVisible();
  await expect(advertise).toBeEnabled();
  await advertise.click();
  await expect(myProducts.toast("Advertise Successful")).toBeVisible();
  await expect(myProducts.row(phone.name).getByText("Advertised", { exact: true })).toBeVisible();
  await expect(advertise).toBeHidden();
  await expect(home.item(phone.name)).toBeVisible();

  await myProducts.button(phone.name, "Stop advertising").click();
  await expect(myProducts.toast("Advertising Stopped")).toBeVisible();
  await expect(advertise).toBeEnabled();
  await expect(home.item(phone.name)).toBeHidden();
  await expect(card.bookNow).toBeVisible();
  await advertise.click();
  await expect(home.item(phone.name)).toBeVisible();

  await admin.takeBadge(seller.name);
  await expect(admin.toast("Badge Taken Back")).toBeVisible();
  await expect(admin.row(seller.name)).toContainText("Not verified");
  await expect(card.badge).toBeHidden();
  await expect(home.item(phone.name)).toBeHidden();
  await expect(advertise).toBeDisabled();
});

test("an admin sees the seller's phones and contact before the verification, and a new name first", {
  tag: "@translated",
}, async ({ brand, adminUser, people, unique, visit, problems }) => {
  problems.expect(/status of 409 .*\/users\/seller\//);
  const seller = await people.seller();
  const phone = await seller.list(unique("Shown"), brand);
  const admin = await new Dashboard(await visit(adminUser)).open("allSellers");
  await admin.button(seller.name, "Make Verified").click();
  const { page } = admin;
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByRole("link", { name: phone.name })).toBeVisible();
  await expect(dialog.getByText(seller.email)).toBeVisible();
  await expect(dialog.getByText("1 phone", { exact: true })).toBeVisible();

  const newName = unique("Official");
  await seller.request("patch", "/identity/me", { displayName: newName });
  await dialog.getByRole("button", { name: "Make Verified" }).click();
  await expect(dialog.getByRole("heading", { name: `Verify ${newName}?` })).toBeVisible();
  await expect(dialog.getByText("This seller has changed. Please check them again.")).toBeVisible();
  await dialog.getByRole("button", { name: "Make Verified" }).click();
  await expect(admin.toast("Seller is Verified Now")).toBeVisible();
  await expect(admin.row(newName)).toContainText("verified");
});

test("a report appears in an admin's open table, is accepted once from each user, and can be deleted", {
  tag: "@translated",
}, async ({ brand, adminUser, people, unique, visit, markPage, problems }) => {
  problems.expect(/status of 409 .*\/reportedItems$/);
  const phone = await (await people.seller()).list(unique("Doubtful"), brand);
  const buyer = await people.buyer();
  const admin = await visit(adminUser);
  const table = await new Dashboard(admin).open("reportedItems");
  await expect(table.heading("Reported Items")).toBeVisible();
  await markPage(admin);

  const category = await new CategoryPage(await visit(buyer)).open(brand);
  const dialog = await category.card(phone.name).reportToAdmin();
  await expect(dialog.root.locator("[name=userName]")).toHaveValue(buyer.name);
  await expect(dialog.root.locator("[name=productName]")).not.toBeEditable();
  await dialog.report("The photo is of another phone");
  await expect(category.toast("Thanks for your response..We saved your report")).toBeVisible();
  await expect(dialog.root).toBeHidden();

  const repeated = await buyer.call("post", "/reportedItems", {
    productID: phone._id,
    id: phone.id,
    productName: phone.name,
    brand: phone.brand,
    img: phone.img,
    userName: buyer.name,
    email: buyer.email,
    reason: "twice",
  });
  expect(repeated.status()).toBe(409);
  const { message } = (await repeated.json()) as { message: string };
  const second = await category.card(phone.name).reportToAdmin();
  await second.report("twice");
  await expect(category.toast(message)).toBeVisible();
  await expect(second.root).toBeVisible();

  const row = table.row(phone.name);
  await expect(row).toContainText(buyer.name);
  await expect(row).toContainText("The photo is of another phone");
  await table.expectColumns("Product Image", "Product Name", "Reporter Name", "Report Reason", "Delete");
  await table.remove(phone.name, "Are you sure you want to delete this report?");
  await expect(table.toast("Report Deleted Successfully")).toBeVisible();
  await expect(row).toBeHidden();
});

test("a report leads an admin to the phone, its seller and the buyer, and the removal of phone and seller reaches every open screen", async ({
  brand,
  adminUser,
  people,
  unique,
  visit,
  markPage,
}) => {
  const seller = await people.seller();
  const phone = await seller.list(unique("Forbidden"), brand);
  const another = await seller.list(unique("Doubtful"), brand);
  const buyer = await people.buyer();
  for (const reported of [phone, another]) await buyer.report(reported, "Stolen");
  const buyerPage = await visit(buyer);
  const category = await new CategoryPage(buyerPage).open(brand);
  const [card, anotherCard] = [category.card(phone.name), category.card(another.name)];
  await expect(card.bookNow).toBeVisible();
  await markPage(buyerPage);

  const other = await new Dashboard(await visit(await people.admin())).open("reportedItems");
  await expect(other.button(phone.name, "Remove seller")).toBeVisible();
  await markPage(other.page);

  const admin = await new Dashboard(await visit(adminUser)).open("reportedItems");
  await admin.expectColumns("Product Image", "Product Name", "Reporter Name", "Report Reason", "Delete");
  for (const [link, person] of [
    [`Seller: ${seller.name}`, seller],
    [buyer.name, buyer],
  ] as const) {
    await admin.row(phone.name).getByRole("link", { name: link, exact: true }).click();
    // On the screen before, two rows name the buyer.
    await expect(admin.page.getByText(/^1 of \d+ matches$/)).toBeVisible();
    await expect(admin.row(person.name)).toContainText(person.email);
    await admin.page.goBack();
  }
  await expect(admin.row(phone.name).getByRole("link", { name: phone.name, exact: true })).toHaveAttribute(
    "href",
    `/phone/${phone._id}`,
  );

  await admin.button(phone.name, "Remove phone").click();
  const dialog = admin.page.getByRole("alertdialog", { name: "Are you sure you want to remove this phone?" });
  await dialog.getByRole("button", { name: "Remove phone" }).click();
  await expect(admin.toast("Phone Removed Successfully")).toBeVisible();
  await expect(card.root).toBeHidden();
  for (const table of [admin, other]) await expect(table.row(phone.name)).toBeHidden(); // the case is decided

  await admin.button(another.name, "Remove seller").click();
  const confirmation = admin.page.getByRole("alertdialog", {
    name: "Are you sure you want to delete this seller?",
  });
  await expect(confirmation).toContainText(seller.name);
  await confirmation.getByRole("button", { name: "Remove seller" }).click();
  await expect(admin.toast("Seller Deleted Successfully")).toBeVisible();
  await expect(anotherCard.root).toBeHidden();
  for (const table of [admin, other]) await expect(table.row(another.name)).toContainText("Seller removed");
  await admin.page.reload();
  await expect(admin.row(another.name)).toContainText("Seller removed");
  await expect(admin.row(another.name)).toContainText("Phone removed");
  await expect(admin.row(another.name).getByRole("button")).toHaveText(["Delete"]);
});

test("deleting a buyer closes their open screen and releases the phones they held", {
  tag: "@nodes",
}, async ({ brand, adminUser, people, unique, visit, markPage, problems }) => {
  // A removed account has no session to sign out.
  problems.expect(/status of 401 .*\/identity\/sign-out$/);
  const phone = await (await people.seller()).list(unique("Held"), brand);
  const buyer = await people.buyer("Brief");
  await buyer.book(phone);

  const removedPage = await visit(buyer);
  const orders = await new Dashboard(removedPage).open("myOrders");
  await expect(orders.row(phone.name)).toBeVisible();
  const buyerPage = await visit(await people.buyer());
  const card = (await new CategoryPage(buyerPage).open(brand)).card(phone.name);
  await expect(card.booked).toBeVisible();
  for (const page of [removedPage, buyerPage]) await markPage(page);

  const admin = await new Dashboard(await visit(adminUser)).open("allBuyers");
  await admin.expectColumns("Name", "Email", "Delete");
  await expect(admin.page.getByRole("heading", { name: /\d+/ })).toBeVisible();
  await markPage(admin.page);

  // A person who signs up appears live. Cancel in the confirmation deletes nothing.
  const newBuyer = await people.buyer("New");
  await admin.button(newBuyer.name, "Delete").click();
  await admin.page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(admin.page.getByRole("alertdialog")).toBeHidden();
  await expect(admin.row(newBuyer.name)).toBeVisible();

  await admin.remove(buyer.name, "Are you sure you want to delete this buyer?");
  await expect(admin.toast("Buyer Deleted Successfully")).toBeVisible();
  await expect(admin.row(buyer.name)).toBeHidden();

  await expect(removedPage).toHaveURL(/\/login$/);
  await expect(orders.signOut).toBeHidden();
  expect(await removedPage.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
  await expect(card.bookNow).toBeVisible();
});

test("deleting a seller closes their open screen and removes their phones from all others", {
  tag: "@nodes",
}, async ({ brand, adminUser, people, unique, visit, markPage, problems }) => {
  // A removed account has no session to sign out.
  problems.expect(/status of 401 .*\/identity\/sign-out$/);
  const seller = await people.verifiedSeller("Short");
  const phone = await seller.list(unique("Withdrawn"), brand);
  await seller.request("put", `/products/advertise/${phone._id}`);

  const removedPage = await visit(seller);
  await expect((await new Dashboard(removedPage).open("myProducts")).row(phone.name)).toBeVisible();
  const buyerPage = await visit(await people.buyer());
  const card = (await new CategoryPage(buyerPage).open(brand)).card(phone.name);
  await expect(card.bookNow).toBeVisible();
  const visitorPage = await visit();
  const home = await new HomePage(visitorPage).open();
  await expect(home.item(phone.name)).toBeVisible();
  for (const page of [removedPage, buyerPage, visitorPage]) await markPage(page);

  const admin = await new Dashboard(await visit(adminUser)).open("allSellers");
  await admin.remove(seller.name, "Are you sure you want to delete this seller?");
  await expect(admin.toast("Seller Deleted Successfully")).toBeVisible();

  await expect(removedPage).toHaveURL(/\/login$/);
  await expect(card.root).toBeHidden();
  await expect(home.item(phone.name)).toBeHidden();
});

test("an admin's action appears in the audit log on another admin's open screen", async ({
  adminUser,
  people,
  visit,
  markPage,
}) => {
  const seller = await people.seller();
  // The command that creates an admin has the address only.
  const name = adminUser.email.replace(/@.*/, "");
  const otherPage = await visit(await people.admin());
  const auditLog = await new Dashboard(otherPage).open("auditTrail");
  await auditLog.expectColumns("Action", "About", "By", "When");
  const granted = auditLog.table.getByRole("row", { name: /Granted the admin role/ }).first();
  await expect(granted).toContainText("Server command");
  await markPage(otherPage);

  const admin = await new Dashboard(await visit(adminUser)).open("allSellers");
  await admin.verify(seller.name);
  await expect(admin.toast("Seller is Verified Now")).toBeVisible();
  const verified = auditLog.row(seller.name).filter({ hasText: "Verified a seller" });
  await expect(verified).toContainText(name);

  await admin.remove(seller.name, "Are you sure you want to delete this seller?");
  const deleted = auditLog.row(seller.name).filter({ hasText: "Deleted a seller" });
  await expect(deleted).toContainText(name);
  await expect(verified).toBeVisible();
});

test("the list of sellers shows those to verify, who are found by name or email", async ({
  adminUser,
  people,
  visit,
}) => {
  const seller = await people.seller("Waiting");
  const verified = await people.verifiedSeller("Checked");
  const sellers = new Dashboard(await visit(adminUser));
  const { page } = await sellers.open("allSellers?verified=no");
  await expect(sellers.row(seller.name)).toBeVisible();
  await expect(sellers.row(verified.name)).toBeHidden();

  // The row of the seller who was just verified stays, and nothing moves.
  await resetShifts(page);
  await sellers.verify(seller.name);
  await expect(sellers.row(seller.name).getByText("verified", { exact: true })).toBeVisible();
  await expectNoShift(page, "after a seller was verified", 0);

  await page.getByRole("searchbox", { name: "Name or email" }).fill(verified.email.toUpperCase());
  await expect(page.getByText("No matches")).toBeVisible();
  await page.getByRole("combobox", { name: "Status" }).selectOption("All sellers");
  await expect(sellers.row(verified.name)).toBeVisible();
  await expect(page.getByText(/^1 of \d+ matches$/)).toBeVisible();
  await page.reload();
  await expect(sellers.row(verified.name)).toBeVisible();
  await expect(sellers.row(seller.name)).toBeHidden();

  await sellers.choose("All Sellers");
  await expect(sellers.row(seller.name)).toBeVisible();
  await expect(page.getByRole("searchbox", { name: "Name or email" })).toHaveValue("");
});
