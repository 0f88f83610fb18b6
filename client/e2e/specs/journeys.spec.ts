import type { Page } from "@playwright/test";
import {
  AddProductPage,
  CategoryPage,
  Dashboard,
  LoginPage,
  PaymentPage,
  PhonePage,
  SignUpPage,
} from "../pages";
import { bookedPhone, expect, TOKEN_SECRET, test } from "../paymentFixtures";
import { blockCookies, CONDITIONS, type Condition, SleepingMachine } from "../support/conditions";
import { emailOf } from "../support/person";
import { photograph } from "../support/testImage";

// The main journeys of a person, each under every condition in which browsers are used.

// The demo has the photograph for the listing.
test.use({ settings: { DEMO: "1", TOKEN_SECRET } });

/** The console messages about a lost answer, a sleeping network and a wrong password. */
const EXPECTED = /ERR_|WebSocket|status of 401 |status of 503 /;

test.beforeEach(({ problems }) => problems.expect(EXPECTED));

const pageUnder = async (condition: Condition, page: Page) => ({
  page,
  beforeLast: await condition.apply(page),
});

async function expectAnHourToPay(page: Page): Promise<void> {
  const left = page.getByRole("region", { name: "Your booking" }).locator("time");
  await expect(left).toHaveText(/^(5\d min|1 h 0 min) left$/);
}

for (const condition of CONDITIONS) {
  test.describe(condition.name, () => {
    test("a buyer logs in, after a wrong password", async ({ people, visit }) => {
      const buyer = await people.buyer();
      const { page, beforeLast } = await pageUnder(condition, await visit());
      const login = await new LoginPage(page).open();
      await login.signIn({ email: buyer.email, password: "not the password" });
      await expect(page.getByRole("alert")).toContainText("password");
      await login.password.fill(buyer.password);
      await beforeLast();
      await login.submit.click();
      if (condition.losesAnswer) {
        await expect(page.getByRole("alert")).toContainText("can't be reached");
        await login.submit.click();
      }
      await expect(login.toast("SignIn Successful")).toBeVisible();
      await expect(login.signOut).toBeVisible();
    });

    test("a buyer books a phone and cancels the booking", async ({ brand, people, unique, visit }) => {
      const phone = await (await people.seller()).list(unique("Journey"), brand);
      const buyer = await people.buyer();
      const { page, beforeLast } = await pageUnder(condition, await visit(buyer));
      const card = (await new CategoryPage(page).open(brand)).card(phone.name);
      const dialog = await card.book();
      await dialog.phone.fill("+880 1234-777888");
      await beforeLast();
      await dialog.confirm.click();
      if (condition.losesAnswer) {
        await expect(dialog.root.getByText("You have booked it.")).toBeVisible();
        await expect(dialog.root.getByText("just been booked")).toBeHidden();
        await dialog.root.getByRole("link", { name: "Pay now" }).click();
      } else {
        await card.pay.click();
      }
      await expect(new PaymentPage(page).pay).toBeVisible();
      await expectAnHourToPay(page);
      expect(await buyer.orders()).toMatchObject([{ productID: phone._id, status: "held" }]);

      const orders = await new Dashboard(page).open("myOrders");
      const row = orders.row(phone.name);
      await row.getByRole("button", { name: /^Cancel/ }).click();
      const question = page.getByRole("alertdialog");
      await question.getByRole("button", { name: "Cancel booking", exact: true }).click();
      await expect(row).toContainText("Cancelled");
      await expect(row.getByRole("link", { name: /^Pay/ })).toBeHidden();
    });

    test("a buyer pays once", async ({ brand, people, provider, unique, visit }) => {
      const order = await bookedPhone({ people, unique }, brand);
      const { page, beforeLast } = await pageUnder(condition, await visit(order.buyer));
      const payment = await new PaymentPage(page).open(order.id);
      await payment.fill("success");
      await expectAnHourToPay(page);
      await beforeLast();
      await payment.pay.click();
      expect(await payment.expectPaid()).toBe(await provider.expectOneCharge(order.buyer, order.id));
    });

    test("a seller lists a phone once", async ({ brand, market, people, unique, visit }) => {
      const seller = await people.seller();
      const name = unique("Journey listing");
      const { page, beforeLast } = await pageUnder(condition, await visit(seller));
      const form = await new AddProductPage(page).open();
      await form.field("image").setInputFiles(await photograph(market));
      await form.fill({
        name,
        brand: brand.name,
        originalPrice: "640",
        resalePrice: "800",
        productCondition: "Good",
        usedTime: "3 years",
        description: "New battery last spring.",
        location: "Dhanmondi, Dhaka",
        phone: "+880 1234-555666",
        selling_post_date: "2026-11-20",
      });
      await form.field("resalePrice").fill("275");
      await expect(page.getByText(/\$365/)).toBeVisible();
      await beforeLast();
      await form.submit.click();
      if (condition.losesAnswer) {
        await expect(page.getByRole("alert")).toContainText("can't be reached");
        await form.submit.click();
      }
      await expect(form.toast("Product Added Successfully")).toBeVisible();
      await expect(new Dashboard(page).heading("My Products: 1")).toBeVisible();
      expect(await seller.request("get", `/products?email=${encodeURIComponent(seller.email)}`)).toHaveLength(
        1,
      );
    });

    if (!condition.losesAnswer) return;

    test("a person signs up once", async ({ people, unique, visit }) => {
      const name = unique("Journey sign-up");
      const person = {
        name,
        email: emailOf(name),
        password: "a good password",
        accountType: "Seller",
      } as const;
      const { page, beforeLast } = await pageUnder(condition, await visit());
      const form = await new SignUpPage(page).open();
      await beforeLast();
      await form.signUp(person);
      await expect(page.getByRole("alert")).toContainText("can't be reached");
      await form.submit.click();
      await expect(form.signOut).toBeVisible();
      const sellers = await (await people.admin()).request("get", "/users/sellers?limit=200");
      expect(sellers).toEqual(expect.arrayContaining([expect.objectContaining({ email: person.email })]));
    });

    test("a buyer reports a phone once", async ({ brand, people, unique, visit }) => {
      const phone = await (await people.seller()).list(unique("Journey report"), brand);
      const { page, beforeLast } = await pageUnder(condition, await visit(await people.buyer()));
      const category = await new CategoryPage(page).open(brand);
      const dialog = await category.card(phone.name).reportToAdmin();
      await beforeLast();
      await dialog.report("The photo is of another phone");
      await expect(page.getByText("can't be reached").first()).toBeVisible();
      await dialog.send.click();
      await expect(category.toast("Thanks for your response..We saved your report")).toBeVisible();
    });
  });
}

test("a change that was made while the computer slept is on the screen at once", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("Overnight"), brand);
  const page = await visit(await people.buyer());
  const machine = await SleepingMachine.of(page);
  const card = (await new CategoryPage(page).open(brand)).card(phone.name);
  await expect(card.bookNow).toBeVisible();
  await machine.sleep();
  await (await people.buyer()).book(phone);
  await machine.wake();
  await expect(card.booked).toBeVisible();
});

test.describe("while cookies are blocked", () => {
  const SENTENCE = /blocks cookies.*Allow cookies for this site/;

  test("the login says so, and the way to book, pay and list leads there", async ({
    brand,
    people,
    unique,
    visit,
  }) => {
    const order = await bookedPhone({ people, unique }, brand);
    const free = await order.seller.list(unique("Free"), brand);
    const page = await visit();
    await blockCookies(page);
    const login = await new LoginPage(page).open();
    await login.signIn(order.buyer);
    await expect(page.getByRole("alert")).toContainText(SENTENCE);
    await expect(login.signOut).toBeHidden();

    await (await new PhonePage(page).open(free)).phone(free.name).bookNow.click();
    await expect(page.getByRole("alert")).toContainText(SENTENCE);
    for (const path of [`payment/${order.id}`, "addProduct"]) {
      await new Dashboard(page).open(path);
      await expect(page.getByRole("alert")).toContainText(SENTENCE);
    }
  });

  test("the sign-up makes no account", async ({ people, unique, visit }) => {
    const name = unique("Without cookies");
    const page = await visit();
    await blockCookies(page);
    const form = await new SignUpPage(page).open();
    await form.signUp({ name, email: emailOf(name), password: "a good password", accountType: "Seller" });
    await expect(page.getByRole("alert")).toContainText(SENTENCE);
    // The address is still free.
    await people.seller(name);
  });
});
