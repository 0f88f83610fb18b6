import { steadyNow } from "@/lib/serverTime";
import type { LiveEvent } from "./types";

/** The time from the first event to the first step (milliseconds); events of that time are rendered together. */
export const BATCH_MS = 250;
/** The number of entities that a step may always change; few enough to keep the page responsive. */
export const MIN_ENTITIES_PER_STEP = 32;
/** The time between two steps (milliseconds), in which the browser paints and handles input. */
export const STEP_GAP_MS = 16;
/**
 * All queued events are applied within about this time (milliseconds). Steps therefore grow with the number of
 * queued events and with the duration of a step: on a large page, many small steps would never catch up.
 */
const MAX_LAG_MS = 200;
/** Above this number of queued events, only the newest of each entity and type is kept. */
export const MAX_QUEUED = 4_000;

/** Collects events and applies them in steps of limited size. */
export class EventBuffer {
  private queue: LiveEvent[] = [];
  private limit = MAX_QUEUED;
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** When the last step began, milliseconds of the steady time. */
  private stepStartedAt = 0;

  constructor(private readonly apply: (events: LiveEvent[]) => void) {}

  /** Adds events, oldest first. */
  push(events: readonly LiveEvent[]): void {
    for (const event of events) this.queue.push(event);
    if (this.queue.length > this.limit) this.compact();
    if (this.queue.length > 0) this.timer ??= setTimeout(() => this.step(STEP_GAP_MS), BATCH_MS);
  }

  /** Applies all queued events at once. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const events = this.queue;
    this.queue = [];
    if (events.length > 0) this.apply(events);
  }

  /** Applies the next events; `lastStepMs` is the duration of the last step, milliseconds. */
  private step(lastStepMs: number): void {
    this.stepStartedAt = steadyNow();
    const entities = Math.ceil((this.queue.length * lastStepMs) / MAX_LAG_MS);
    const count = this.countEvents(Math.max(MIN_ENTITIES_PER_STEP, entities));
    const events = this.queue.slice(0, count);
    this.queue = this.queue.slice(count);
    const next = () => this.step(steadyNow() - this.stepStartedAt);
    this.timer = this.queue.length > 0 ? setTimeout(next, STEP_GAP_MS) : null;
    this.apply(events);
  }

  /** How many of the oldest events concern at most this many entities: several events of one entity cost one render. */
  private countEvents(maxEntities: number): number {
    const entities = new Set<string>();
    const end = this.queue.findIndex(({ data }) => entities.add(data._id).size > maxEntities);
    return end < 0 ? this.queue.length : end;
  }

  /** Keeps the newest event of each entity, type and topic; by version, since a replayed event may be older. */
  private compact(): void {
    const newest = new Map<string, LiveEvent>();
    for (const event of this.queue) {
      const key = `${event.topic} ${event.type} ${event.data._id}`;
      const kept = newest.get(key);
      if (kept && kept.data.version > event.data.version) continue;
      newest.delete(key);
      newest.set(key, event);
    }
    this.queue = [...newest.values()];
    this.limit = Math.max(MAX_QUEUED, 2 * this.queue.length);
  }
}
