import { expect, type Page } from "@playwright/test";

/** The maximum sum of unexpected layout shifts over a screen's whole life (Google's CLS takes the worst session window). */
const MAX_SHIFT = 0.02;

/** The URL of the display font. */
export const FONT = /\.woff2$/;

/** One layout shift: its value, and the elements that moved, with their rectangles before and after. */
interface Shift {
  value: number;
  elements: string[];
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

declare global {
  interface Window {
    /** The shifts since the document began, or since `resetShifts`. */
    shifts?: () => Shift[];
    resetShifts?: () => void;
  }
}

/** Records the layout shifts in every document of this page, except those after an input. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let shifts: Shift[] = [];
    const rectangle = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}x${height}`;
    const record = (entries: PerformanceEntryList) => {
      for (const { value, hadRecentInput, sources } of entries as LayoutShift[]) {
        const elements = sources.map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          const name = element
            ? `<${element.localName}> "${element.textContent.slice(0, 60)}"`
            : "a removed element";
          return `${name} from ${rectangle(previousRect)} to ${rectangle(currentRect)}`;
        });
        if (!hadRecentInput) shifts.push({ value, elements });
      }
    };
    const observer = new PerformanceObserver((list) => record(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    window.shifts = () => {
      record(observer.takeRecords());
      return shifts;
    };
    window.resetShifts = () => {
      observer.takeRecords();
      shifts = [];
    };
  });
}

/** Forgets the shifts so far, once the fonts have loaded. */
export async function resetShifts(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
  await afterPaint(page);
  await page.evaluate(() => window.resetShifts?.());
}

/** Waits until the last change has been laid out and painted. */
export async function afterPaint(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}

/** Expects no noticeable layout shift; the message lists what moved. */
export async function expectNoShift(page: Page, when: string, maxShift = MAX_SHIFT): Promise<void> {
  await afterPaint(page);
  const shifts = await page.evaluate(() => window.shifts?.());
  const sum = shifts?.reduce((total, { value }) => total + value, 0);
  const moved = shifts?.flatMap(({ value, elements }) =>
    elements.map((element) => `${value.toFixed(4)} ${element}`),
  );
  expect.soft(sum, `${when}, these moved:\n${moved?.join("\n")}`).toBeLessThanOrEqual(maxShift);
}
