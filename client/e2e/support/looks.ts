import { mkdirSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Every screen is looked at in these widths (CSS pixels), light and dark. */
const WIDTHS = [360, 1440];
const SCHEMES = ["light", "dark"] as const;
/** Pictures of the screens, to look at. */
const ARTEFACTS = "e2e/artefacts";

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

/** One line for each violation: the rule and where it is broken. Between light and dark only colours change. */
export async function violations(page: Page, coloursOnly = false): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (coloursOnly ? axe.withRules("color-contrast") : axe).analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help} ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Keeps a picture of what a page shows now. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(ARTEFACTS, { recursive: true });
  // Hiding the caret would take a style element, which the policy forbids.
  await page.screenshot({ path: `${ARTEFACTS}/${name}.png`, caret: "initial" });
}

/** Checks that a screen is accessible and fits, narrow and wide, light and dark, and keeps a picture of each. */
export async function looksRight(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 360 ? 780 : 900 });
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
}
