import { expect, type Page } from "@playwright/test";

/** The most that may move without having been asked to: the sum over a screen's whole life, not Google's best second. */
const MOST = 0.02;
/** What the words of the navigation bar may move when their font comes. */
export const FONT = 0.002;

/** One layout shift: how much of the screen, how far, and what moved. */
interface Shift {
  value: number;
  what: string[];
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

declare global {
  interface Window {
    /** What has moved since the document began, or since `forgetShifts`. */
    shifts?: () => Shift[];
    forgetShifts?: () => void;
  }
}

/** Has every document of this page write down what moves in it, but for what an input made move. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let seen: Shift[] = [];
    const note = (entries: PerformanceEntryList) => {
      for (const { value, hadRecentInput, sources } of entries as LayoutShift[]) {
        const what = sources.map(({ node }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return element?.outerHTML.slice(0, 120) ?? "something that is gone";
        });
        if (!hadRecentInput) seen.push({ value, what });
      }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    window.shifts = () => {
      note(observer.takeRecords());
      return seen;
    };
    window.forgetShifts = () => {
      observer.takeRecords();
      seen = [];
    };
  });
}

/** From now on counts only what moves from now on. */
export async function forgetShifts(page: Page): Promise<void> {
  await page.evaluate(() => window.forgetShifts?.());
}

/** Until what has just changed is laid out, and painted. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}

/** Checks that nothing has moved to speak of; says what did. */
export async function stoodStill(page: Page, when: string, most = MOST): Promise<void> {
  await painted(page);
  const shifts = await page.evaluate(() => window.shifts?.());
  const sum = shifts?.reduce((all, { value }) => all + value, 0);
  const what = shifts?.flatMap(({ value, what }) => what.map((one) => `${value.toFixed(4)} ${one}`));
  expect.soft(sum, `${when}, these moved:\n${what?.join("\n")}`).toBeLessThanOrEqual(most);
}
