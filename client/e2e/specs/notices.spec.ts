import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { expectNoShift, resetShifts } from "../support/layoutShifts";
import type { Person, Phone } from "../support/person";
import { screenshot } from "../support/screenChecks";

/** The console messages about an unavailable server. */
const UNAVAILABLE = /ERR_|WebSocket|Failed to load resource/;

/** What every notice shows, and how it is found. */
const notices = (page: Page) => ({
  toast: page
    .getByRole("status", { name: "Messages" })
    .getByText(/password has been changed/)
    .locator(".."),
  offline: page.getByRole("status", { name: "Live updates" }).getByText(/You are offline/),
  turn: page.getByRole("region", { name: "It's your turn" }),
});

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error("it is not shown");
  return box;
}

type Box = Awaited<ReturnType<typeof boxOf>>;
const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1;

/** Expects that no two of these overlap, and that all are inside the window. */
async function expectApart(page: Page, shown: Record<string, Locator>) {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  await expect(async () => {
    const boxes = await Promise.all(
      Object.entries(shown).map(async ([name, locator]) => ({ name, box: await boxOf(locator) })),
    );
    const problems: string[] = [];
    for (const [index, { name, box }] of boxes.entries()) {
      if (box.y < -1 || box.y + box.height > size.height + 1) problems.push(`${name} is not in the window`);
      for (const other of boxes.slice(index + 1)) {
        if (overlaps(box, other.box)) problems.push(`${name} and ${other.name} overlap`);
      }
    }
    expect(problems).toEqual([]);
  }).toPass({ timeout: 60_000 });
}

/** Lets toasts, which disappear after 6 s, stay for two minutes, because a busy machine is slower. Runs in the page. */
function keepToasts() {
  const { setTimeout } = window;
  window.setTimeout = ((run: TimerHandler, ms?: number, ...args: unknown[]) =>
    setTimeout(run, ms === 6000 ? 120_000 : ms, ...args)) as typeof window.setTimeout;
}

/** Gives the buyer the turn for a phone that the holder lets go. */
async function giveTurn(buyer: Person, holder: Person, phone: Phone) {
  const order = await holder.book(phone);
  await buyer.request("put", `/products/${phone._id}/waitlist`, { phone: "01711 000000" });
  await holder.request("delete", `/bookings/${order}`);
}

const WINDOWS = [
  { width: 360, height: 740 },
  { width: 360, height: 480 },
  { width: 768, height: 900 },
  { width: 1280, height: 800 },
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`a toast, the offline notice and a turn cover neither one another nor the focused field (${colorScheme})`, async ({
    ownMarket,
    unique,
    visit,
    problems,
  }) => {
    problems.expect(UNAVAILABLE);
    const { brand, people } = await ownMarket({ TURN: "10m" });
    const seller = await people.seller();
    for (const viewport of WINDOWS) {
      const buyer = await people.buyer();
      await giveTurn(buyer, await people.buyer(), await seller.list(unique("Awaited"), brand));
      const page = await visit(buyer, { viewport, colorScheme });
      await page.addInitScript(keepToasts);
      await page.goto("/dashboard/account");
      const { toast, offline, turn } = notices(page);
      await expect(turn).toBeVisible();
      const change = page.getByRole("button", { name: "Change password" });
      await change.click();
      await page.getByLabel("Current password").fill(buyer.password);
      await page.getByLabel("New password").fill("another good password");
      await page.keyboard.press("Enter");
      await expect(toast).toBeVisible();
      await change.click();
      const form = page.getByLabel("Current password");
      await expect(form).toBeVisible();
      const before = await boxOf(form);
      await page.context().setOffline(true);
      await expect(offline).toBeVisible();
      expect(await boxOf(form)).toEqual(before);
      // The notice moves the toast, and the answer has closed the form. On a busy machine both count as shifts.
      await resetShifts(page);
      await expectApart(page, { toast, offline, turn });
      await screenshot(page, `notices-${viewport.width}x${viewport.height}-${colorScheme}`);
      for (const field of await page.getByRole("main").locator("input:visible, select:visible").all()) {
        await field.focus();
        await expectApart(page, { field, offline, turn });
      }
      await expectNoShift(page, "with notices");
      await page.context().close();
    }
  });
}

test("the notices are above an open dialog, and do not cover it", async ({
  ownMarket,
  unique,
  visit,
  problems,
}) => {
  problems.expect(UNAVAILABLE);
  const { brand, people } = await ownMarket({ TURN: "10m" });
  const seller = await people.seller();
  const awaited = await seller.list(unique("Awaited"), brand);
  const other = await seller.list(unique("Other"), brand);
  const buyer = await people.buyer();
  await giveTurn(buyer, await people.buyer(), awaited);

  for (const viewport of WINDOWS) {
    const page = await visit(buyer, { viewport });
    await page.goto(`/phone/${other._id}`);
    const { offline, turn } = notices(page);
    await expect(turn).toBeVisible();
    await page.getByRole("button", { name: "Book Now", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Book ${other.name}` });
    await expect(dialog).toBeVisible();
    await page.context().setOffline(true);
    await expect(offline).toBeVisible();
    const field = dialog.getByLabel("Phone");
    const close = dialog.getByRole("button", { name: "Close" });
    const confirm = dialog.locator("button[type=submit]");
    await expectApart(page, { turn, offline, close, confirm });
    await field.focus();
    await expectApart(page, { turn, offline, close, confirm, field });
    await screenshot(page, `notices-dialog-${viewport.width}x${viewport.height}`);
    await expect(turn.getByRole("link", { name: `Pay for ${awaited.name}` })).toBeEnabled();
    await page.context().close();
  }
});
