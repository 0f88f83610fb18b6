import { mkdirSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { stoodStill } from "./shifts";

/** Every screen is looked at in these widths (CSS pixels), light and dark. */
const WIDTHS = [360, 768, 1440];
const SCHEMES = ["light", "dark"] as const;
/** Pictures of the screens, to look at. */
const ARTEFACTS = "e2e/artefacts";
/** What axe checks: the letter of WCAG 2.2 AA, the size of targets included, and what its makers advise. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Lets transitions and animations come to rest; those that never end are left alone. */
async function rest(page: Page) {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
}

/** Goes through the page to its end, so that all its photographs come, and back to its top. */
async function leaf(page: Page) {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const { documentElement: root } = document;
    for (let top = 0; top < root.scrollHeight; top += window.innerHeight) {
      window.scrollTo({ top, behavior: "instant" });
      await frame();
    }
    // Until they are drawn, and not only there: those too that wait beside the screen. A broken one never is.
    const drawn = Array.from(document.images, (one) => {
      one.loading = "eager";
      return one.decode().catch(() => undefined);
    });
    await Promise.all(drawn);
    window.scrollTo({ top: 0, behavior: "instant" });
    await frame();
  });
}

/** One line for each violation: the rule and where it is broken. Between light and dark only colours change. */
export async function violations(page: Page, coloursOnly = false): Promise<string[]> {
  // No frames of others here: without looking for them it takes half the time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (coloursOnly ? axe.withRules("color-contrast") : axe.withTags(TAGS)).analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help} ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Keeps a picture of what a page shows now: all of it, or under an open dialog what is in sight. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(ARTEFACTS, { recursive: true });
  const fullPage = (await page.locator("dialog[open], [role=dialog]").count()) === 0;
  // Hiding the caret would take a style element, which the policy forbids.
  await page.screenshot({ path: `${ARTEFACTS}/${name}.png`, caret: "initial", fullPage });
}

async function widen(page: Page, width: number) {
  await page.setViewportSize({ width, height: width === 360 ? 780 : 900 });
}

/** Checks what stands at this width, light and dark, and keeps a picture of each. */
async function looksRightAt(page: Page, name: string, width: number) {
  await leaf(page);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await rest(page);
    await picture(page, `${name}-${width}-${colorScheme}`);
    expect.soft(await violations(page, colorScheme === "dark"), `${width} ${colorScheme}`).toEqual([]);
  }
  const [inner, outer] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect.soft(inner, `nothing lies beyond ${width} pixels`).toBeLessThanOrEqual(outer ?? 0);
}

/** Checks that what is shown is accessible and fits, narrow to wide, light and dark, and keeps a picture of each. */
export async function looksRight(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await widen(page, width);
    await looksRightAt(page, name, width);
  }
}

/**
 * The same of a screen that `show` brings up, anew at each width; and from its first paint, with all motion,
 * to its last photograph nothing moves that no input asked to.
 */
export async function walk(page: Page, name: string, show: () => Promise<void>): Promise<void> {
  for (const width of WIDTHS) {
    await widen(page, width);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
    await show();
    await leaf(page);
    await stoodStill(page, `${name} at ${width}`);
    await looksRightAt(page, name, width);
  }
}
