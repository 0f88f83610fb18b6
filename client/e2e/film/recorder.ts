import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page, ViewportSize } from "@playwright/test";

/** The scale of a film and of pictures of two windows. */
const deviceScaleFactor = 1.3;
/** A recorded window. */
export const WINDOW = { viewport: { width: 460, height: 640 }, deviceScaleFactor };
/** A recorded telephone. */
export const TELEPHONE = { viewport: { width: 390, height: 720 }, deviceScaleFactor };
/** The quality of the lossy frames, 0 to 100. */
const QUALITY = 68;
/** No frame is shown for longer, except the last one: a busy machine takes fewer pictures. */
const MAX_FRAME_MS = 220;

/** A recorded window: its page, the title in its frame, and the pointer that the recorder draws into it. */
export class FilmedWindow {
  readonly size: ViewportSize;
  pointer: { x: number; y: number; isDown: boolean };
  hasPointer = false;

  constructor(
    readonly page: Page,
    readonly title: string,
  ) {
    this.size = page.viewportSize() ?? WINDOW.viewport;
    this.pointer = { x: this.size.width * 0.7, y: this.size.height * 0.93, isDown: false };
  }

  /** Moves the pointer to an element in a third of a second, and clicks it. */
  async click(target: Locator): Promise<void> {
    this.hasPointer = true;
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (!box) throw new Error("the target is not visible");
    const from = { ...this.pointer };
    const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const steps = 8;
    for (let step = 1; step <= steps; step += 1) {
      const part = (1 - Math.cos((Math.PI * step) / steps)) / 2;
      this.pointer = {
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
        isDown: false,
      };
      await this.page.mouse.move(this.pointer.x, this.pointer.y);
      await this.page.waitForTimeout(45);
    }
    this.pointer.isDown = true;
    await this.page.waitForTimeout(250);
    await this.page.mouse.click(to.x, to.y);
    await this.page.waitForTimeout(200);
    this.pointer.isDown = false;
  }

  /** Clicks a field and types a text into it. */
  async type(target: Locator, text: string): Promise<void> {
    await this.click(target);
    await target.pressSequentially(text, { delay: 45 });
    await this.page.waitForTimeout(250);
  }
}

interface Frame {
  /** Milliseconds since the start of the process. */
  at: number;
  windows: { title: string; picture: string; size: ViewportSize; pointer: FilmedWindow["pointer"] | null }[];
}

/** Takes simultaneous screenshots of two windows and makes one film of them. */
export class Recorder {
  private readonly frames: Frame[] = [];
  private isRunning = true;
  private readonly finished: Promise<void>;

  constructor(private readonly windows: readonly FilmedWindow[]) {
    this.finished = this.run();
  }

  private async run(): Promise<void> {
    while (this.isRunning) {
      const at = performance.now();
      const windows = await screenshots(this.windows);
      this.frames.push({ at, windows });
    }
  }

  /** Ends the recording, renders each pair of screenshots side by side, and writes the film with img2webp. */
  async save(browser: Browser, file: string): Promise<void> {
    this.isRunning = false;
    await this.finished;
    const folder = mkdtempSync(join(tmpdir(), "secondring-film-"));
    const stage = await newStage(browser, this.windows);
    const inputs: string[] = [];
    for (const [index, frame] of this.frames.entries()) {
      await stage.setContent(pictureOf(frame), { waitUntil: "load" });
      const name = join(folder, `${index}.png`);
      writeFileSync(name, await stage.screenshot());
      const next = this.frames[index + 1];
      const duration = next ? Math.min(next.at - frame.at, MAX_FRAME_MS) : 1_500;
      inputs.push("-d", String(Math.round(duration)), name);
    }
    await stage.close();
    const settings = ["-loop", "0", "-kmin", "0", "-kmax", "0", "-lossy", "-q", String(QUALITY), "-m", "6"];
    execFileSync("img2webp", [...settings, ...inputs, "-o", file], { stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The present state of the windows. */
function screenshots(windows: readonly FilmedWindow[]): Promise<Frame["windows"]> {
  return Promise.all(
    windows.map(async ({ page, title, size, pointer, hasPointer }) => ({
      title,
      size,
      pointer: hasPointer ? { ...pointer } : null,
      picture: (await page.screenshot({ caret: "initial" })).toString("base64"),
    })),
  );
}

/** A page of the size of the windows side by side. */
function newStage(browser: Browser, windows: readonly FilmedWindow[]): Promise<Page> {
  const width = windows.reduce((sum, { size }) => sum + size.width + 16, 16);
  const height = Math.max(...windows.map(({ size }) => size.height)) + 66;
  return browser.newPage({ viewport: { width, height }, deviceScaleFactor });
}

/** Writes one picture of two windows side by side. */
export async function pictureOfWindows(
  browser: Browser,
  windows: readonly FilmedWindow[],
  file: string,
): Promise<void> {
  const stage = await newStage(browser, windows);
  await stage.setContent(pictureOf({ at: 0, windows: await screenshots(windows) }), { waitUntil: "load" });
  await stage.screenshot({ path: file, type: "jpeg", quality: 82 });
  await stage.close();
}

/** The HTML of one frame: the windows side by side, each with its title and its pointer. */
function pictureOf({ windows }: Frame): string {
  const framed = windows.map(({ title, picture, size, pointer }) => {
    const ring = pointer?.isDown ? '<circle cx="2" cy="2" r="15" fill="#6366f155" />' : "";
    const arrow =
      '<path d="M0 0v19l5-4 3.5 7.500 3.500-1.600-3.500-7.400h6.500z" fill="#111" stroke="#fff" stroke-width="1.500" />';
    const drawn = pointer ? `<svg style="left:${pointer.x}px;top:${pointer.y}px">${ring}${arrow}</svg>` : "";
    return `<figure><figcaption>${title}</figcaption>
      <div style="width:${size.width}px;height:${size.height}px"><img src="data:image/png;base64,${picture}">${drawn}</div></figure>`;
  });
  return `<style>
    body { margin: 0; padding: 16px; display: flex; gap: 16px; background: #cbd5e1; font: 600 15px sans-serif; }
    figure { margin: 0; border-radius: 10px; overflow: hidden; box-shadow: 0 2px 8px #0004; }
    figcaption { height: 34px; line-height: 34px; text-align: center; background: #334155; color: #fff; }
    div { position: relative; overflow: hidden; }
    img { width: 100%; height: 100%; display: block; }
    svg { position: absolute; overflow: visible; width: 1px; height: 1px; }
  </style>${framed.join("")}`;
}
