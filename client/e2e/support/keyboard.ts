import { expect, type Locator, type Page } from "@playwright/test";

/** The focused element, as a keyboard user sees it. */
interface FocusStop {
  /** The start of the element's HTML, for error messages. */
  html: string;
  /** No element has the focus. */
  isLost: boolean;
  /** The element, or the field that contains it, has an outline of two pixels or more. */
  hasOutline: boolean;
  /** It is above or left of the previous stop, in the same part of the page. */
  isBackwards: boolean;
}

declare global {
  interface Window {
    /** The previous stop, to check the order. */
    previousStop?: { screen: string; part: Element | null; box: DOMRect };
  }
}

function describeFocus(): FocusStop {
  const focused = document.activeElement;
  const noFocus = { html: "nothing", isLost: true, hasOutline: false, isBackwards: false };
  if (!focused || focused === document.body) return noFocus;
  // A link over two lines has two boxes.
  const box = focused.getClientRects()[0] ?? focused.getBoundingClientRect();
  const hasVisibleOutline = (element: Element | null): boolean => {
    if (!element || element.matches("form, main, header, footer, dialog, body")) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return (
      (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2) ||
      hasVisibleOutline(element.parentElement)
    );
  };
  // The browser outlines the parts of a date field itself, which a script cannot read.
  const isDate = focused instanceof HTMLInputElement && focused.type === "date";
  const part = focused.closest("dialog, main, header, footer");
  const pageBox = new DOMRect(box.x, box.y + window.scrollY, box.width, box.height);
  const { previousStop: previous } = window;
  const screen = location.pathname;
  // The sticky header has a position in the viewport, not on the page.
  const isComparable = previous?.screen === screen && previous.part === part && part?.tagName !== "HEADER";
  const isBackwards = isComparable
    ? pageBox.bottom <= previous.box.top && pageBox.left < previous.box.right
    : false;
  window.previousStop = { screen, part, box: pageBox };
  return {
    html: focused.outerHTML.slice(0, 160),
    isLost: false,
    hasOutline: isDate || hasVisibleOutline(focused),
    isBackwards,
  };
}

/** Whether the centre of the focused element is in the viewport and not covered. */
function isFocusVisible(): boolean {
  const focused = document.activeElement;
  // A link over two lines has two boxes; the first one must be visible.
  const box = focused?.getClientRects()[0];
  const top = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return Boolean(focused && top && (focused.contains(top) || top.contains(focused)));
}

/** A keyboard user, who checks each focused element. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Waits until an element has the focus. */
  async expectFocus(): Promise<void> {
    const lost = async () => (await this.page.evaluate(describeFocus)).isLost;
    await expect.poll(lost, { message: "no element has the focus" }).toBe(false);
  }

  /** Presses Tab, or Shift+Tab, until the target has the focus; expects all stops to be visible and in order. */
  async tabTo(target: Locator, { back = false, maxStops = 60 } = {}): Promise<void> {
    await expect(target).toBeVisible();
    const passedStops: string[] = [];
    for (let stops = 0; stops < maxStops; stops += 1) {
      await this.press(back ? "Shift+Tab" : "Tab");
      const stop = await this.page.evaluate(describeFocus);
      passedStops.push(stop.html);
      expect(stop, passedStops.join("\n")).toMatchObject({ isLost: false, hasOutline: true });
      // The browser may scroll to the element a moment after it has the focus.
      const isVisible = () => this.page.evaluate(isFocusVisible);
      await expect.poll(isVisible, `this stop is visible:\n${passedStops.join("\n")}`).toBe(true);
      if (!back) expect(stop.isBackwards, `the order of\n${passedStops.slice(-2).join("\n")}`).toBe(false);
      if (await target.evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error(`${target} is not one of these stops:\n${passedStops.join("\n")}`);
  }

  /** Goes to a link or a button and presses it. */
  async choose(target: Locator, options?: { back?: boolean; maxStops?: number }): Promise<void> {
    await this.tabTo(target, options);
    await this.press("Enter");
  }

  /** Goes to a control and types into it. */
  async fill(target: Locator, text: string): Promise<void> {
    await this.tabTo(target);
    await this.type(text);
  }
}
