import { expect, test } from "../fixtures";
import { AddProductPage } from "../pages";
import { photographs } from "../support/testImage";

interface Listed {
  _id: string;
  name: string;
  description: string;
  phone: string;
  originalPrice: number;
  resalePrice: number;
}

test("what a seller pastes from notes and an address book is listed as it is meant", async ({
  market,
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const page = await visit(seller);
  const form = await new AddProductPage(page).open();
  const [image] = await photographs(market, 1);
  if (!image) throw new Error("the demo has photos");
  const name = unique("Pasted phone");
  await form.field("resalePrice").pressSequentially("৮০০");
  await expect(form.field("resalePrice")).toHaveValue("৮০০");
  await form.add({
    name: `\ufeff${name.replaceAll(" ", "\u00a0")}\u200b`,
    brand: brand.name,
    originalPrice: "$1,250.00",
    resalePrice: "৮০০",
    productCondition: "Fair",
    usedTime: "3\u202fyears",
    description: "Few scratches\u2028\u2022\u2060 boxed ",
    location: "Dhaka\u200e",
    phone: "\u202a+৮৮০ ১৭১১\u2011১২৩৪৫৬\u202c",
    selling_post_date: "2026-11-20",
    image,
  });
  await expect(page).toHaveURL(/myProducts$/);
  const listed = await seller.request<Listed[]>("get", `/products?email=${seller.email}`);
  expect(listed).toHaveLength(1);
  expect(listed[0]).toMatchObject({
    name,
    description: "Few scratches\n\u2022 boxed",
    phone: "+880 1711-123456",
    originalPrice: 1250,
    resalePrice: 800,
  });

  await page.goto(`/phone/${listed[0]?._id}/?from=chat`);
  await expect(page).toHaveURL(`/phone/${listed[0]?._id}?from=chat`);
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
});

test("a filter reads prices as people write them, and says what is no price", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const [dear, fair] = [unique("Dear"), unique("Fair")];
  await seller.list(dear, brand, { resalePrice: 301, description: "Quokka" });
  await seller.list(fair, brand, { resalePrice: 300, description: "Quokka" });
  const page = await visit(await people.buyer());
  await page.goto(`/category/${brand._id}?q=quokka`);
  const names = page.getByRole("article").getByRole("heading");
  await expect(names).toHaveText([fair, dear]);
  await page.getByRole("button", { name: "Price", exact: true }).click();
  for (const typed of ["300.00", "$300", "৩০০", "US$ 300,00"]) {
    await page.getByLabel("Price to").fill(typed);
    await expect(names).toHaveText([fair]);
    await expect(page).toHaveURL(/maxPrice=300$/);
    await expect(page.getByLabel("Price to")).toHaveValue(typed);
  }
  for (const typed of ["cheap", "3-4", "250,50"]) {
    await page.getByLabel("Price to").fill(typed);
    await expect(page.getByText(/^Price(s| must).*whole/)).toBeVisible();
    await expect(names).toHaveText([fair, dear]);
    await expect(page).not.toHaveURL(/maxPrice/);
  }
});

test("an address in other letters or with a slash leads to the screen", async ({ visit }) => {
  const page = await visit();
  for (const [typed, path, title] of [
    ["/signup", "/signUp", "Sign Up · SecondRing"],
    ["/LOGIN/", "/login", "Login · SecondRing"],
    ["//blog/", "/blog", "Blog · SecondRing"],
    ["/Search/?q=fox", "/search?q=fox", 'Search: "fox" · SecondRing'],
  ] as const) {
    await page.goto(typed === "//blog/" ? `${new URL(page.url()).origin}${typed}` : typed);
    await expect(page).toHaveURL(path);
    await expect(page).toHaveTitle(title);
  }
});
