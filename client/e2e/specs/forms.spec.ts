import { expect, test } from "../fixtures";
import { AddProductPage, CategoryPage, LoginPage, SignUpPage } from "../pages";

const EMAIL = "Email Address is required";
const PASSWORD = "Password is required";
const SHORT = "Password must be atleast 6 characters or longer";

test("login and sign-up name missing fields and show the server's error", { tag: "@translated" }, async ({
  people,
  visit,
  problems,
}) => {
  problems.expect(/status of 401 .*\/identity\/sign-in$/, /status of 409 .*\/identity\/sign-up$/);
  const buyer = await people.buyer();
  const page = await visit();
  const login = await new LoginPage(page).open();
  await login.submit.click();
  await expect(page.getByText(EMAIL, { exact: true })).toBeVisible();
  await expect(page.getByText(PASSWORD, { exact: true })).toBeVisible();
  await expect(login.email).toBeFocused();

  await login.signIn({ email: buyer.email, password: "short" });
  await expect(page.getByText(SHORT, { exact: true })).toBeVisible();
  await expect(page.getByText(EMAIL, { exact: true })).toBeHidden();

  await login.signIn({ email: buyer.email, password: "another password" });
  await expect(page.getByText("Wrong email or password", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);

  const form = await new SignUpPage(page).open();
  await expect(form.accountTypes).toHaveCount(2);
  await expect(form.accountTypes.and(page.locator(":checked"))).toHaveCount(0);
  await form.submit.click();
  for (const message of [EMAIL, PASSWORD, "Name is required", "Account type is required"]) {
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await form.signUp({ name: "Twin", email: buyer.email, password: "12345", accountType: "User" });
  await expect(page.getByText(SHORT, { exact: true })).toBeVisible();
  await form.signUp({ name: "Twin", email: buyer.email, password: "qk7vzm", accountType: "User" });
  await expect(page.getByText("Email is already in use", { exact: true })).toBeVisible();
});

test("a booking needs a phone, a report needs a reason", { tag: "@translated" }, async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("Asked for"), brand);
  const page = await visit(await people.buyer());
  const card = (await new CategoryPage(page).open(brand)).card(phone.name);

  const booking = await card.book();
  await booking.confirm.click();
  await expect(booking.root.getByText("Phone is required", { exact: true })).toBeVisible();
  await expect(booking.phone).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(booking.root).toBeHidden();
  await expect(card.bookNow).toBeFocused();

  const report = await card.reportToAdmin();
  await report.send.click();
  await expect(report.root.getByText("Reason is required", { exact: true })).toBeVisible();
  await report.root.getByRole("button", { name: "Close" }).click();
  await expect(report.root).toBeHidden();
  await expect(card.report).toBeFocused();
});

test("a new phone needs all of its fields", { tag: "@translated" }, async ({ people, visit }) => {
  const page = await visit(await people.seller());
  const form = await new AddProductPage(page).open();
  await form.unfold();
  await form.field("selling_post_date").fill("");
  await form.submit.click();
  for (const field of [
    "Name",
    "Brand",
    "Price",
    "Condition",
    "Used Time",
    "Description",
    "Location",
    "Phone",
    "Date",
    "Image",
  ]) {
    await expect(page.getByText(`${field} is required`, { exact: true }).first()).toBeVisible();
  }
  await expect(form.field("image")).toBeFocused();
  await expect(form.field("productCondition").getByRole("option", { name: /^(?!Choose)/ })).toHaveText([
    "Excellent",
    "Good",
    "Fair",
  ]);
  await form.field("resalePrice").fill("12.5");
  await form.submit.click();
  await expect(page.getByText("Prices are in whole dollars: 250, not 250.50")).toBeVisible();
  await form.field("resalePrice").fill("100,001");
  await form.submit.click();
  await expect(page.getByText("Price must be a whole number of dollars from 1 to 100,000")).toBeVisible();
  await expect(page).toHaveURL(/addProduct$/);
});

test("a file that is not an image is refused at its field, and no input is lost", async ({
  brand,
  people,
  visit,
  problems,
}) => {
  problems.expect(/status of 4\d\d .*\/images/);
  const page = await visit(await people.seller());
  const form = await new AddProductPage(page).open();
  await form.add({
    name: "No picture",
    brand: brand.name,
    originalPrice: "640",
    resalePrice: "275",
    productCondition: "Fair",
    usedTime: "3 years",
    description: "None.",
    location: "Dhaka",
    phone: "+880 1234-555666",
    selling_post_date: "2026-11-20",
    image: { name: "phone.jpg", mimeType: "image/jpeg", buffer: Buffer.from("this is text") },
  });
  await expect(page.getByRole("alert").first()).toBeVisible();
  await expect(form.field("name")).toHaveValue("No picture");
  await expect(page).toHaveURL(/addProduct$/);
});

test("the contact form sends nothing to the server, and says where to find the message", async ({
  visit,
}) => {
  const page = await visit(null, { viewport: { width: 360, height: 640 } });
  await page.goto("/contact");
  const sent: string[] = [];
  page.on("request", (request) => request.method() !== "GET" && sent.push(request.url()));
  const main = page.getByRole("main");
  for (const name of ["name", "email", "message"]) await main.locator(`[name=${name}]`).fill("a@b.c");
  await main.getByRole("button", { name: "Send", exact: true }).click();
  await expect(main.getByText("Your email app should have opened.")).toBeInViewport({ ratio: 1 });
  await expect(main.getByRole("link", { name: "hello@example.com" }).first()).toBeVisible();
  await expect(main.getByText("+880 1234-567890")).toBeVisible();
  await expect(main.getByText("Dhaka, Bangladesh")).toBeVisible();
  expect(sent).toEqual([]);
});
