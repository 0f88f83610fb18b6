import type { LiveEvent } from "./types";

/** Events wait this long at most before the first of them are shown (milliseconds): what comes together costs one render. */
export const BATCH_MS = 250;
/** One step changes so many entities at least: few enough to keep no finger waiting. */
export const PORTION = 32;
/** Between two steps (milliseconds): time for the browser to paint, and to answer whoever presses a key. */
export const PAUSE_MS = 16;
/**
 * What waits is shown within about this long (milliseconds), so steps grow with what waits, and with what a step
 * takes: where drawing a large page is most of it, many small steps would fall behind and stay there.
 */
const SHOWN_MS = 200;
/** From here on, of an entity's events of one kind only the newest waits. */
export const CROWD = 4_000;

/** Gathers events and hands them on together, a bounded number at a time. */
export class EventBuffer {
  private waiting: LiveEvent[] = [];
  private most = CROWD;
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** When the last step began, milliseconds of performance.now. */
  private stepped = 0;

  constructor(private readonly apply: (events: LiveEvent[]) => void) {}

  /** Adds events, oldest first. */
  push(events: readonly LiveEvent[]): void {
    for (const event of events) this.waiting.push(event);
    if (this.waiting.length > this.most) this.thin();
    if (this.waiting.length > 0) this.timer ??= setTimeout(() => this.step(PAUSE_MS), BATCH_MS);
  }

  /** Hands on all that waits, now. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const events = this.waiting;
    this.waiting = [];
    if (events.length > 0) this.apply(events);
  }

  /** Hands on a portion, where the last one has taken so many milliseconds. */
  private step(took: number): void {
    this.stepped = performance.now();
    const portion = this.ofEntities(Math.max(PORTION, Math.ceil((this.waiting.length * took) / SHOWN_MS)));
    const events = this.waiting.slice(0, portion);
    this.waiting = this.waiting.slice(portion);
    const next = () => this.step(performance.now() - this.stepped);
    this.timer = this.waiting.length > 0 ? setTimeout(next, PAUSE_MS) : null;
    this.apply(events);
  }

  /** How many of the oldest tell of so many entities: what happens to one over and over is drawn once. */
  private ofEntities(most: number): number {
    const entities = new Set<string>();
    const beyond = this.waiting.findIndex(({ data }) => entities.add(data._id).size > most);
    return beyond < 0 ? this.waiting.length : beyond;
  }

  /** Leaves of each entity's events of one kind and topic the newest: a replayed older one gives way. */
  private thin(): void {
    const newest = new Map<string, LiveEvent>();
    for (const event of this.waiting) {
      const key = `${event.topic} ${event.type} ${event.data._id}`;
      const held = newest.get(key);
      if (held && held.data.version > event.data.version) continue;
      newest.delete(key);
      newest.set(key, event);
    }
    this.waiting = [...newest.values()];
    this.most = Math.max(CROWD, 2 * this.waiting.length);
  }
}
