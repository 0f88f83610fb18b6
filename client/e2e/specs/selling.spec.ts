import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { AddProductPage, CategoryPage, Dashboard, EditPhonePage, type Photograph } from "../pages";
import type { Market } from "../support/market";
import { photographs, photographUrls } from "../support/testImage";

/** A large photo whose upload takes a while: decoders ignore bytes after the end of the image. */
async function largePhoto(market: Market, megabytes: number): Promise<Photograph> {
  const [photo] = await photographs(market, 1);
  if (!photo) throw new Error("the demo has photos");
  return {
    ...photo,
    name: "large.jpg",
    buffer: Buffer.concat([photo.buffer, Buffer.alloc(megabytes * 1_000_000)]),
  };
}

/** Limits the page's uploads to this many bytes a second. */
async function limitUploads(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 20,
    downloadThroughput: -1,
    uploadThroughput,
  });
}

const phoneFields = (name: string, brand: string) => ({
  name,
  brand,
  originalPrice: "640",
  resalePrice: "275",
  productCondition: "Fair" as const,
  usedTime: "3 years",
  description: "A scratch.",
  location: "Dhaka",
  phone: "+880 1234-555666",
  selling_post_date: "2026-11-20",
});

test("a seller changes a phone and its photos, and an open brand page shows it at once", {
  tag: "@nodes",
}, async ({ market, brand, people, unique, visit, markPage }) => {
  const seller = await people.seller();
  const urls = await photographUrls(market, 3);
  const photos = urls.map((url, index) => ({ url, alt: `View ${index + 1}` }));
  const phone = await seller.list(unique("Changing"), brand, { img: urls[0], photos });
  const buyerPage = await visit(await people.buyer());
  const card = (await new CategoryPage(buyerPage).open(brand)).card(phone.name);
  await expect(card.root.getByText("$320")).toBeVisible();
  await markPage(buyerPage);

  const page = await visit(seller);
  const myProducts = await new Dashboard(page).open("myProducts");
  await myProducts.row(phone.name).getByRole("link", { name: phone.name, exact: true }).click();
  const form = new EditPhonePage(page);
  await form.field("resalePrice").fill("255");
  await form.field("description").fill("Repaired.");
  await form.press("Move", 3, "forward");
  await expect(form.alt(2)).toHaveValue("View 3");
  await form.drag(2, 1);
  await expect(form.alt(1)).toHaveValue("View 3");
  await form.alt(1).fill("The back");
  await form.press("Remove", 2);
  await expect(form.photos).toHaveCount(2);
  const [added] = await photographs(market, 1);
  if (!added) throw new Error("the demo has photos");
  await form.field("image").setInputFiles(added);
  await expect(form.photos.nth(2).getByText("Uploaded", { exact: true })).toBeVisible();
  await form.save.click();
  await expect(form.toast("Changes Saved")).toBeVisible();
  await expect(page).toHaveURL(/myProducts$/);

  await expect(card.root.getByText("$255")).toBeVisible();
  const now = await seller.request<{ img: string; photos: { url: string; alt: string }[] }>(
    "get",
    `/products/${phone._id}`,
  );
  expect(now.img).toBe(urls[2]);
  expect(now.photos.map(({ alt }) => alt)).toEqual(["The back", "View 2", ""]);
  expect(now.photos[2]?.url).toMatch(/\/images\//);
});

test("the form of a phone that is changed or booked elsewhere keeps its input", async ({
  brand,
  people,
  unique,
  visit,
}) => {
  const [seller, buyer] = [await people.seller(), await people.buyer()];
  const phone = await seller.list(unique("Wanted"), brand);
  const page = await visit(seller);
  const form = await new EditPhonePage(page).open(phone._id);
  await form.field("resalePrice").fill("300");
  await seller.request("patch", `/products/${phone._id}`, { resalePrice: 290, location: "Sylhet" });
  await expect(page.getByText("Resale Price is now “290”.")).toBeVisible();
  await expect(form.field("location")).toHaveValue("Sylhet");
  await expect(form.field("resalePrice")).toHaveValue("300");
  await form.save.click();
  await expect(form.toast("Changes Saved")).toBeVisible();
  const merged = await seller.request<{ resalePrice: number; location: string }>(
    "get",
    `/products/${phone._id}`,
  );
  expect(merged).toMatchObject({ resalePrice: 300, location: "Sylhet" });
  await expect(page).toHaveURL(/myProducts$/);

  await form.open(phone._id);
  await form.field("description").fill("Half a sent");
  const booking = await buyer.book({ ...phone, ...merged });
  await expect(page.locator("#edit-standing")).toContainText("It has been booked and can't be changed now.");
  await expect(form.save).toBeDisabled();
  await expect(form.field("description")).toBeFocused();
  await buyer.request("delete", `/bookings/${booking}`);
  await expect(form.save).toBeEnabled();
  await form.field("description").fill("Half a sentence.");
  await form.save.click();
  await expect(form.toast("Changes Saved")).toBeVisible();
  const { description } = await seller.request<{ description: string }>("get", `/products/${phone._id}`);
  expect(description).toBe("Half a sentence.");
});

test("each photo shows its progress, and its upload can be stopped and repeated", async ({
  market,
  brand,
  people,
  unique,
  visit,
}) => {
  const seller = await people.seller();
  const page = await visit(seller);
  const form = await new AddProductPage(page).open();
  await limitUploads(page, 250_000);
  const name = unique("Slow upload");
  await form.field("image").setInputFiles(await largePhoto(market, 2));
  const bar = page.getByRole("progressbar", { name: "Uploading large.jpg" });
  const percent = async () => Number((await bar.getAttribute("aria-valuenow")) ?? 0);
  await expect.poll(percent).toBeGreaterThan(2);
  const previous = await percent();
  await expect.poll(percent).toBeGreaterThan(previous);
  await page.getByRole("button", { name: "Stop uploading photo 1" }).click();
  await expect(bar).toBeHidden();
  await form.fill(phoneFields(name, brand.name));
  await form.submit.click();
  await expect(page.getByText(/^1 photo has not been uploaded/)).toBeVisible();
  await limitUploads(page, -1);
  await page.getByRole("button", { name: "Upload photo 1 again" }).click();
  await expect(page.getByText("Uploaded", { exact: true })).toBeVisible();
  await form.submit.click();
  await expect(form.toast("Product Added Successfully")).toBeVisible();
});

test("a photo whose upload fails says what to do and does not affect the others", async ({
  market,
  people,
  visit,
  problems,
}) => {
  problems.expect(/\/images\?/);
  const page = await visit(await people.seller());
  const form = await new AddProductPage(page).open();
  const files = await photographs(market, 4);
  const renamed = files.map((file, index) => ({
    ...file,
    name: `${["interrupted", "large", "unsupported", "good"][index]}.jpg`,
  }));
  await page.route("**/images?*", async (route) => {
    const body = route.request().postDataBuffer()?.toString("latin1") ?? "";
    if (body.includes("interrupted.jpg")) return route.abort("connectionreset");
    if (body.includes("large.jpg")) return route.fulfill({ status: 413, body: "a proxy's page" });
    if (body.includes("unsupported.jpg")) return route.fulfill({ status: 415, body: "" });
    return route.continue();
  });
  await form.field("image").setInputFiles(renamed);
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await expect(row("interrupted.jpg").getByRole("alert")).toContainText("The connection was lost.");
  await expect(row("large.jpg").getByRole("alert")).toContainText("larger than 10 MB");
  await expect(row("unsupported.jpg").getByRole("alert")).toContainText("JPEG, PNG or WebP");
  await expect(row("good.jpg").getByText("Uploaded", { exact: true })).toBeVisible();
  await page.unroute("**/images?*");
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await expect(row("interrupted.jpg").getByText("Uploaded", { exact: true })).toBeVisible();
});

/** Pastes a photo into the page, or drops it on the form. */
function addPhoto(page: Page, file: Photograph | undefined, how: "paste" | "drop") {
  return page.evaluate(
    ([bytes, how]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], `${how}.jpg`, { type: "image/jpeg" }));
      const dropZone = document.querySelector("fieldset");
      const init = { bubbles: true, cancelable: true };
      if (how === "paste")
        document.dispatchEvent(new ClipboardEvent("paste", { ...init, clipboardData: data }));
      else dropZone?.dispatchEvent(new DragEvent("drop", { ...init, dataTransfer: data }));
    },
    [[...(file?.buffer ?? [])], how] as const,
  );
}

test("photos can be pasted and dropped; a reload keeps the draft, signing out deletes it", async ({
  market,
  people,
  visit,
}) => {
  const page = await visit(await people.seller());
  const form = await new AddProductPage(page).open();
  const [one, two] = await photographs(market, 2);
  for (const [file, how] of [
    [one, "paste"],
    [two, "drop"],
  ] as const) {
    const row = page.getByRole("listitem").filter({ hasText: `${how}.jpg` });
    // The form is visible shortly before its listeners are added.
    await expect(async () => {
      if ((await row.count()) === 0) await addPhoto(page, file, how);
      await expect(row).toBeVisible({ timeout: 1000 });
    }).toPass();
    await expect(row.getByText("Uploaded", { exact: true })).toBeVisible();
  }
  await form.field("name").fill("Half typed");
  await page.reload();
  await expect(page.getByText("Your draft has been restored.")).toBeVisible();
  await expect(form.field("name")).toHaveValue("Half typed");
  await expect(page.getByLabel(/^What photo \d shows$/)).toHaveCount(2);
  await page.getByRole("button", { name: "SignOut" }).click();
  await expect(page).toHaveURL(/login$/);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain("formDraft");
});
