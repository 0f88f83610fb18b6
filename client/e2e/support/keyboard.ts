import { expect, type Locator, type Page } from "@playwright/test";

/** Where the focus is, as somebody sees it who has no mouse. */
interface Stop {
  /** The element's beginning, to be named by when something is wrong. */
  what: string;
  /** The focus is on nothing at all. */
  lost: boolean;
  /** A line of two pixels or more is around it, or around the field that it is a part of. */
  ringed: boolean;
  /** Its middle is in sight, and nothing stands before it. */
  seen: boolean;
  /** It stands above or left of the stop before it, in the same part of the page. */
  backwards: boolean;
}

declare global {
  interface Window {
    /** The stop before, to compare the next one with. */
    stopBefore?: { screen: string; part: Element | null; box: DOMRect };
  }
}

function look(): Stop {
  const here = document.activeElement;
  const nowhere = { what: "nothing", lost: true, ringed: false, seen: false, backwards: false };
  if (!here || here === document.body) return nowhere;
  // A link over two lines has two boxes; its first line has to be in sight.
  const box = here.getClientRects()[0] ?? here.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const lined = (one: Element | null): boolean => {
    if (!one || one.matches("form, main, header, footer, dialog, body")) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2) || lined(one.parentElement);
  };
  // Of the parts of a date the browser rings each one by itself, where a script cannot see it.
  const isDate = here instanceof HTMLInputElement && here.type === "date";
  const part = here.closest("dialog, main, header, footer");
  const place = new DOMRect(box.x, box.y + window.scrollY, box.width, box.height);
  const { stopBefore: before } = window;
  const screen = location.pathname;
  // A header that sticks has its place on the screen and not on the page.
  const comparable = before?.screen === screen && before.part === part && part?.tagName !== "HEADER";
  const backwards = comparable ? place.bottom <= before.box.top && place.left < before.box.right : false;
  window.stopBefore = { screen, part, box: place };
  return {
    what: here.outerHTML.slice(0, 160),
    lost: false,
    ringed: isDate || lined(here),
    seen: top !== null && (here.contains(top) || top.contains(here)),
    backwards,
  };
}

/** Somebody who has a keyboard and no mouse, and looks at each stop. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Checks that the focus is on something, once what was pressed has led somewhere. */
  async stands(): Promise<void> {
    const lost = async () => (await this.page.evaluate(look)).lost;
    await expect.poll(lost, { message: "the focus is on nothing" }).toBe(false);
  }

  /** Tabs on, or back, to what is looked for, over stops that are in order and can all be seen. */
  async goTo(target: Locator, { back = false, most = 60 } = {}): Promise<void> {
    await expect(target).toBeVisible();
    const passed: string[] = [];
    for (let stops = 0; stops < most; stops += 1) {
      await this.press(back ? "Shift+Tab" : "Tab");
      const stop = await this.page.evaluate(look);
      passed.push(stop.what);
      expect(stop, passed.join("\n")).toMatchObject({ lost: false, ringed: true, seen: true });
      if (!back) expect(stop.backwards, `the order of\n${passed.slice(-2).join("\n")}`).toBe(false);
      if (await target.evaluate((one) => one === document.activeElement)) return;
    }
    throw new Error(`${target} is not among these stops:\n${passed.join("\n")}`);
  }

  /** Goes to a link or a button and presses it. */
  async choose(target: Locator, options?: { back?: boolean; most?: number }): Promise<void> {
    await this.goTo(target, options);
    await this.press("Enter");
  }

  /** Goes to a control and types into it. */
  async fill(target: Locator, text: string): Promise<void> {
    await this.goTo(target);
    await this.type(text);
  }
}
