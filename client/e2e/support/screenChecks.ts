import { mkdirSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { afterPaint, expectNoShift } from "./layoutShifts";

/** Every screen is checked at these widths (CSS pixels), light and dark. */
const WIDTHS = [360, 768, 1440];
const SCHEMES = ["light", "dark"] as const;
/** The folder of the screenshots. */
const ARTEFACTS = "e2e/artefacts";
/** The rules of axe: WCAG 2.2 AA, including the size of targets, and axe's best practices. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Waits for transitions and animations to finish, except endless ones. */
export async function finishAnimations(page: Page) {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
}

/**
 * Waits until nothing on the screen is a placeholder. A list that loads after the check has scrolled down may be lower
 * than its placeholder, which moves the footer.
 */
export const expectLoaded = (page: Page) => expect(page.locator("main .delayed-appearance")).toHaveCount(0);

/**
 * Scrolls through the page so that all its images load, and back to the top. What has just appeared is painted first: if
 * the page gets shorter in the frame of a scroll, the footer counts as moved.
 */
export async function loadImages(page: Page) {
  await afterPaint(page);
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const { documentElement: root } = document;
    for (let top = 0; top < root.scrollHeight; top += window.innerHeight) {
      window.scrollTo({ top, behavior: "instant" });
      await frame();
    }
    // decode() waits until an image can be drawn, lazy ones included; a broken one rejects.
    const decoded = Array.from(document.images, (image) => {
      image.loading = "eager";
      return image.decode().catch(() => undefined);
    });
    await Promise.all(decoded);
    window.scrollTo({ top: 0, behavior: "instant" });
    await frame();
  });
}

/**
 * Checks the page with axe. Returns one line for each violation: the rule and the elements. The dark theme differs in
 * its colours only, so `coloursOnly` is enough for it.
 */
export async function violations(page: Page, coloursOnly = false): Promise<string[]> {
  // The legacy mode skips foreign frames, of which there are none; it takes half the time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (coloursOnly ? axe.withRules("color-contrast") : axe.withTags(TAGS)).analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help} ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Stores a screenshot of the whole page, or of the viewport when a dialog is open. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(ARTEFACTS, { recursive: true });
  const fullPage = (await page.locator("dialog[open], [role=dialog]").count()) === 0;
  // Hiding the caret needs a style element, which the content security policy forbids.
  await page.screenshot({ path: `${ARTEFACTS}/${name}.png`, caret: "initial", fullPage });
}

async function setWidth(page: Page, width: number) {
  await page.setViewportSize({ width, height: width === 360 ? 780 : 900 });
}

/** Checks the screen at this width, light and dark, and stores a screenshot of each. */
async function checkAtWidth(page: Page, name: string, width: number) {
  await loadImages(page);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await finishAnimations(page);
    await screenshot(page, `${name}-${width}-${colorScheme}`);
    expect.soft(await violations(page, colorScheme === "dark"), `${width} ${colorScheme}`).toEqual([]);
  }
  const [scrollWidth, clientWidth] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect.soft(scrollWidth, `the page is wider than ${width} pixels`).toBeLessThanOrEqual(clientWidth ?? 0);
}

/** Checks that the screen is accessible and fits at every width, light and dark, and stores screenshots. */
export async function checkScreen(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await setWidth(page, width);
    await checkAtWidth(page, name, width);
  }
}

/**
 * As checkScreen, for a screen that `show` opens again at each width. Also expects no layout shift from the first
 * paint to the last image, with animations on.
 */
export async function checkScreenFromStart(
  page: Page,
  name: string,
  show: () => Promise<void>,
): Promise<void> {
  for (const width of WIDTHS) {
    await setWidth(page, width);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
    await show();
    // The notice of an interrupted connection moves with the bar at the bottom of a phone's page.
    await expect(page.getByRole("status", { name: "Live updates" }).getByText(/./)).toHaveCount(0);
    await loadImages(page);
    await expectNoShift(page, `${name} at ${width}`);
    await checkAtWidth(page, name, width);
  }
}
