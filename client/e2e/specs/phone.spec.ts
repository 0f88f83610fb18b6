import { expect, test } from "../fixtures";
import { AddProductPage, BookingDialog, CategoryPage, LoginPage, PhonePage, SignUpPage } from "../pages";
import { checkScreen } from "../support/screenChecks";
import { photographs, photographUrls } from "../support/testImage";

test("a phone opens from its card, and shows a booking by another buyer live", async ({
  brand,
  people,
  unique,
  visit,
  markPage,
}) => {
  const phone = await (await people.seller()).list(unique("Own page"), brand);
  const page = await visit(await people.buyer());
  const category = await new CategoryPage(page).open(brand);
  await category.card(phone.name).root.getByRole("link", { name: phone.name, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/phone/${phone._id}$`));
  await expect(page).toHaveTitle(`${phone.name} for $320 · SecondRing`);
  const card = new PhonePage(page).phone(phone.name);
  for (const text of [
    "$700",
    "Good",
    "2 years",
    "Mirpur, Dhaka",
    "+880 1234-100200",
    "A scratch on the back",
  ]) {
    await expect(card.root).toContainText(text);
  }
  await markPage(page);
  await card.bookNow.focus();
  const before = await card.report.boundingBox();

  await (await people.buyer()).book(phone);
  await expect(card.takenLabel).toBeFocused();
  await expect(card.bookNow).toBeHidden();
  expect(await card.report.boundingBox()).toEqual(before);
});

test("a phone is booked and reported from its own page; on a narrow screen Book Now stays visible", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const phone = await seller.list(unique("Booked here"), brand);
  const page = await visit(await people.buyer(), { viewport: { width: 360, height: 640 } });
  const phonePage = await new PhonePage(page).open(phone);
  const card = phonePage.phone(phone.name);
  const root = page.locator("html");
  await card.report.scrollIntoViewIfNeeded();
  await expect(root).not.toHaveAttribute("data-bottom-bar");
  await expect(card.bookNow).toBeInViewport({ ratio: 1 });
  await card.bookNow.focus();
  await page.evaluate(() => window.scrollTo({ top: 9999, behavior: "instant" }));
  await expect(root).toHaveAttribute("data-bottom-bar");
  await expect(card.bookNow).toBeInViewport({ ratio: 1 });
  await expect(card.bookNow).toBeFocused();
  // It is the same button, and it does not cover the end of the page.
  await expect(card.bookNow).toHaveCount(1);
  await page.evaluate(() => window.scrollTo({ top: 9999, behavior: "instant" }));
  const last = page.getByText(/^Copyright 2022/);
  const { y = 0, height = 0 } = (await last.boundingBox()) ?? {};
  expect(y + height).toBeLessThan((await card.bookNow.boundingBox())?.y ?? 0);
  const report = await card.reportToAdmin();
  await report.root.getByLabel("Reason").fill("Not this model");
  await report.send.click();
  await expect(phonePage.toast("Thanks for your response..We saved your report")).toBeVisible();
  const booking = await card.book();
  await booking.phone.fill("+880 1711-000000");
  await booking.confirm.click();
  await expect(phonePage.toast("Booking Confirmed")).toBeVisible();
  await expect(card.booked).toBeVisible();
});

test("a visitor sees the phone without contact data, logs in to book it, and books it", async ({
  brand,
  people,
  unique,
  visit,
  problems,
}) => {
  problems.expect(/status of 404 /);
  const phone = await (await people.seller()).list(unique("Seen by all"), brand);
  const buyer = await people.buyer();
  const page = await visit();
  await new PhonePage(page).open({ _id: "nowhere" });
  await expect(page.getByText("This phone is no longer for sale")).toBeVisible();
  const phonePage = await new PhonePage(page).open(phone);
  const card = phonePage.phone(phone.name);
  await expect(card.root).toContainText("$320");
  await expect(card.root).not.toContainText(phone.phone);
  await expect(card.root).not.toContainText(phone.location);
  await expect(phonePage.more).toHaveCount(0);

  await card.bookNow.click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(`Log in to book ${phone.name}`, { exact: true })).toBeVisible();
  await new LoginPage(page).signIn(buyer);
  const booking = new BookingDialog(page);
  await expect(booking.root).toHaveAccessibleName(`Book ${phone.name}`);
  await expect(booking.phone).toBeFocused();
  // The dialog opens once: neither a reload nor the back button opens it again.
  await expect(page).toHaveURL(new RegExp(`/phone/${phone._id}$`));
  await booking.book("+880 1711-000000");
  await expect(phonePage.toast("Booking Confirmed")).toBeVisible();
  await expect(card.pay).toBeVisible();
  await expect(card.root).toContainText(phone.phone);
  await expect(phonePage.more).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`/phone/${phone._id}$`));
  await expect(card.pay).toBeVisible();
  await expect(booking.root).toBeHidden();
});

test("a visitor signs up for a phone that they have searched for, and books it", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const phone = await (await people.seller()).list(unique("Found first"), brand);
  const page = await visit();
  const search = `/search?q=${phone.name.replaceAll(" ", "+")}`;
  await page.goto(search);
  const card = new CategoryPage(page).card(phone.name);
  await card.bookNow.click();
  await page.getByRole("link", { name: "Create an account" }).click();
  await expect(page.getByText(`Sign up to book ${phone.name}`, { exact: true })).toBeVisible();
  const name = unique("Nadia");
  const email = `${name.replace(" ", ".")}@example.com`;
  await new SignUpPage(page).signUp({ name, email, password: "a good password", accountType: "User" });
  const booking = new BookingDialog(page);
  await expect(booking.root).toHaveAccessibleName(`Book ${phone.name}`);
  await expect(page).toHaveURL(search);
  await booking.book("+880 1711-000000");
  await expect(card.pay).toBeInViewport();
});

test("a visitor sees any phone change at once, on its page and in the search", { tag: "@nodes" }, async ({
  brand,
  people,
  unique,
  visit,
  markPage,
}) => {
  const seller = await people.seller();
  const phone = await seller.list(unique("Not advertised"), brand);
  const page = await visit();
  const phonePage = await new PhonePage(page).open(phone);
  const searchPage = await visit();
  await searchPage.goto(`/search?q=${encodeURIComponent(phone.name)}`);
  const card = searchPage.getByRole("article").filter({ hasText: phone.name });
  await expect(card.getByRole("button", { name: "Book Now" })).toBeVisible();
  await expect(phonePage.phone(phone.name).bookNow).toBeVisible();
  await markPage(page);
  await markPage(searchPage);
  await (await people.buyer()).book(phone);
  await expect(phonePage.phone(phone.name).booked).toBeVisible();
  await expect(card.getByText("Booked")).toBeVisible();
});

test("a phone's page is accessible and fits, narrow and wide, light and dark", async ({
  brand,
  market,
  people,
  unique,
  visit,
}) => {
  const urls = await photographUrls(market, 3);
  const photos = urls.map((url, index) => ({ url, alt: `View ${index + 1}` }));
  const seller = await people.verifiedSeller();
  const phone = await seller.list(unique("Phone with a rather long name, 128 GB"), brand, {
    img: urls[0],
    photos,
  });
  const page = await visit(await people.buyer());
  const phonePage = await new PhonePage(page).open(phone);
  await expect(phonePage.more.getByRole("listitem").first()).toBeVisible();
  await checkScreen(page, "phone");
  await page.getByRole("button", { name: "Next photo" }).click();
  await expect(phonePage.strip).toHaveAccessibleName("Photo 2 of 3");
  await expect(page.getByRole("img", { name: "View 2", exact: true })).toBeInViewport({ ratio: 0.9 });
  await expect(page.getByRole("img", { name: "View 1", exact: true })).not.toBeInViewport();

  await page.getByRole("img", { name: "View 2", exact: true }).click();
  const viewer = page.getByRole("dialog", { name: phone.name });
  const large = (name: string) => viewer.getByRole("img", { name, exact: true });
  await expect(large("View 2")).toBeInViewport({ ratio: 1 });
  await checkScreen(page, "phone-viewer");
  const width = async () => (await large("View 2").boundingBox())?.width ?? 0;
  const initial = await width();
  await page.keyboard.press("+");
  await expect.poll(width).toBeGreaterThan(initial * 1.9);
  await page.keyboard.press("-");
  await expect.poll(width).toBe(initial);
  await page.keyboard.press("ArrowRight");
  await expect(large("View 3")).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(viewer).toBeHidden();
  await expect(phonePage.strip).toHaveAccessibleName("Photo 3 of 3");

  const visitorPage = await visit();
  await new PhonePage(visitorPage).open(phone);
  await expect(visitorPage.getByRole("link", { name: /^Log in to see phone/ })).toBeVisible();
  await checkScreen(visitorPage, "phone-visitor");
});

test("a phone is listed with three photos in the seller's order", async ({
  brand,
  market,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const page = await visit(seller);
  const form = await new AddProductPage(page).open();
  const [first, ...others] = await photographs(market, 3);
  if (!first) throw new Error("three photos were requested");
  await form.field("image").setInputFiles(first);
  await form.field("image").setInputFiles(others);
  const rows = page.getByRole("list", { name: "Chosen photos" }).getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await page.getByRole("button", { name: "Move photo 3 forward" }).click();
  await page.getByRole("button", { name: "Move photo 2 forward" }).click();
  await expect(rows.first()).toContainText("3.jpg");
  const fileNames = form
    .field("image")
    .evaluate((input: HTMLInputElement) => Array.from(input.files ?? [], ({ name }) => name));
  expect(await fileNames).toEqual(["3.jpg", "1.jpg", "2.jpg"]);
  await page.getByLabel("What photo 1 shows").fill("The back");
  await checkScreen(page, "add-product-photos");

  const name = unique("Three photos");
  await form.fill({
    name,
    brand: brand.name,
    originalPrice: "640",
    resalePrice: "275",
    productCondition: "Good",
    usedTime: "3 years",
    description: "New battery last spring.",
    location: "Dhanmondi, Dhaka",
    phone: "+880 1234-555666",
    selling_post_date: "2026-11-20",
  });
  await form.submit.click();
  await expect(form.toast("Product Added Successfully")).toBeVisible();

  const buyerPage = await visit(await people.buyer());
  const category = await new CategoryPage(buyerPage).open(brand);
  const photo = category.card(name).root.getByRole("img", { name: "The back" });
  await expect(photo).toHaveAttribute("srcset", /-320\.webp 320w/);
  await expect(photo).toHaveAttribute("width", /^\d+$/);
  await photo.click();
  const shown = new PhonePage(buyerPage).phone(name).root.getByRole("img");
  await expect(shown).toHaveCount(3);
  await expect(shown.first()).toHaveAttribute("alt", "The back");
});
