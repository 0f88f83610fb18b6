import { expect, test } from "../fixtures";
import { BookingDialog, Dashboard, LoginPage, PhonePage } from "../pages";

test("Google sign-in creates a buyer and returns to the requested page", async ({ brand, unique, visit }) => {
  const page = await visit();
  await page.goto(`/category/${brand._id}`);
  const login = new LoginPage(page);
  await expect(page.getByText(`Log in to see ${brand.name} phones`, { exact: true })).toBeVisible();
  await login.openGoogle();
  const name = unique("Gazi");
  await page.getByLabel("Email").fill(`${name.replace(" ", ".").toLowerCase()}@example.com`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(new RegExp(`/category/${brand._id}$`));
  await expect(login.heading("All Products")).toBeVisible();
  await expect(login.nav.getByRole("img", { name })).toBeVisible();
  await login.link("Dashboard").click();
  await expect(new Dashboard(page).menu.getByRole("link")).toHaveText([
    "My Orders",
    "Messages",
    "Start selling",
  ]);
});

test("an address with a password account is linked after its password is given", async ({
  people,
  visit,
}) => {
  const seller = await people.seller();
  const page = await visit();
  const login = await new LoginPage(page).open();
  const signInWithGoogle = async () => {
    await login.openGoogle();
    await page.getByLabel("Email").fill(seller.email);
    await page.getByRole("button", { name: "Continue" }).click();
  };
  await signInWithGoogle();
  await expect(login.heading("Link your Google account")).toBeVisible();
  await login.password.fill(seller.password);
  await page.getByRole("button", { name: "Confirm and link" }).click();
  await expect(login.toast("SignIn Successful")).toBeVisible();
  await login.signOut.click();
  await expect(page).toHaveURL(/\/login$/);
  await signInWithGoogle();
  await expect(login.signOut).toBeVisible();
});

test("a phone is booked after a Google sign-in that was cancelled once", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("By Google"), brand);
  const page = await visit();
  const phonePage = await new PhonePage(page).open(phone);
  await phonePage.phone(phone.name).bookNow.click();
  const login = new LoginPage(page);
  await login.google.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Log in to book this phone", { exact: true })).toBeVisible();
  await login.openGoogle();
  const name = unique("Gita");
  await page.getByLabel("Email").fill(`${name.replace(" ", ".").toLowerCase()}@example.com`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  const booking = new BookingDialog(page);
  await expect(booking.root).toHaveAccessibleName(`Book ${phone.name}`);
  await booking.book("+880 1711-000000");
  await expect(phonePage.toast("Booking Confirmed")).toBeVisible();
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
