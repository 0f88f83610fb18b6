import type { LiveEvent } from "./types";

/** The longest time before the first events are applied (milliseconds): events of that time cost one render. */
export const BATCH_MS = 250;
/** The fewest entities that one step changes; few enough to keep the page responsive. */
export const PORTION = 32;
/** The pause between two steps (milliseconds), in which the browser paints and handles input. */
export const PAUSE_MS = 16;
/**
 * All waiting events are applied within about this time (milliseconds). Steps therefore grow with the number of
 * waiting events and with the duration of a step: on a large page, many small steps would never catch up.
 */
const SHOWN_MS = 200;
/** Above this number of waiting events, only the newest of each entity and type is kept. */
export const MAX_WAITING = 4_000;

/** Collects events and applies them in steps of limited size. */
export class EventBuffer {
  private waiting: LiveEvent[] = [];
  private most = MAX_WAITING;
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

  /** Applies all waiting events at once. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const events = this.waiting;
    this.waiting = [];
    if (events.length > 0) this.apply(events);
  }

  /** Applies the next events; `took` is the duration of the last step, milliseconds. */
  private step(took: number): void {
    this.stepped = performance.now();
    const portion = this.ofEntities(Math.max(PORTION, Math.ceil((this.waiting.length * took) / SHOWN_MS)));
    const events = this.waiting.slice(0, portion);
    this.waiting = this.waiting.slice(portion);
    const next = () => this.step(performance.now() - this.stepped);
    this.timer = this.waiting.length > 0 ? setTimeout(next, PAUSE_MS) : null;
    this.apply(events);
  }

  /** How many of the oldest events concern this many entities: several events of one entity cost one render. */
  private ofEntities(most: number): number {
    const entities = new Set<string>();
    const beyond = this.waiting.findIndex(({ data }) => entities.add(data._id).size > most);
    return beyond < 0 ? this.waiting.length : beyond;
  }

  /** Keeps the newest event of each entity, type and topic; by version, since a replayed event may be older. */
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
    this.most = Math.max(MAX_WAITING, 2 * this.waiting.length);
  }
}
