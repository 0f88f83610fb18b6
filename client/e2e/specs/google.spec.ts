import { expect, test } from "../fixtures";
import { Dashboard, LoginPage } from "../pages";

// The issuer's page is no screen of the client: it has no icon, and a browser asks for one.
test.beforeEach(({ problems }) => problems.expect(/status of 404 .*\/favicon\.ico$/));

test("Google sign-in makes a buyer and returns to the page asked for", async ({ brand, unique, visit }) => {
  const page = await visit();
  await page.goto(`/category/${brand._id}`);
  const login = new LoginPage(page);
  await login.google.click();
  const name = unique("Gazi");
  await page.getByLabel("E-mail").fill(`${name.replace(" ", ".").toLowerCase()}@example.com`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(new RegExp(`/category/${brand._id}$`));
  await expect(login.heading("All Products")).toBeVisible();
  await expect(login.nav.getByRole("img", { name })).toBeVisible();
  await login.link("Dashboard").click();
  await expect(new Dashboard(page).menu.getByRole("link")).toHaveText(["My Orders"]);
});

test("an address with a password account is linked after its password is given", async ({
  people,
  visit,
}) => {
  const seller = await people.seller();
  const page = await visit();
  const login = await new LoginPage(page).open();
  const byGoogle = async () => {
    await login.google.click();
    await page.getByLabel("E-mail").fill(seller.email);
    await page.getByRole("button", { name: "Continue" }).click();
  };
  await byGoogle();
  await expect(login.heading("Link your Google account")).toBeVisible();
  await login.password.fill(seller.password);
  await page.getByRole("button", { name: "Confirm and link" }).click();
  await expect(login.toast("SignIn Successful")).toBeVisible();
  await login.signOut.click();
  await expect(page).toHaveURL(/\/login$/);
  await byGoogle();
  await expect(login.signOut).toBeVisible();
});

test("a cancelled Google sign-in comes back to the login, where a demo login fills the form", async ({
  visit,
}) => {
  const page = await visit();
  const login = await new LoginPage(page).open();
  await login.google.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(login.submit).toBeVisible();
  await page.getByRole("button", { name: "Buyer", exact: true }).click();
  await expect(login.email).toHaveValue("rafi@example.com");
  await login.submit.click();
  await expect(login.toast("SignIn Successful")).toBeVisible();
});
