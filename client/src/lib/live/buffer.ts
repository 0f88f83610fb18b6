import type { LiveEvent } from "./types";

/** Events wait this long at most (milliseconds), so that a thousand a second cost four renders, not a thousand. */
export const BATCH_MS = 250;

/** Gathers events and hands them on together. */
export class EventBuffer {
  private waiting: LiveEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly apply: (events: LiveEvent[]) => void) {}

  /** Adds events, oldest first. */
  push(events: readonly LiveEvent[]): void {
    for (const event of events) this.waiting.push(event);
    if (this.waiting.length > 0) this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  /** Hands on what waits, now. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const events = this.waiting;
    this.waiting = [];
    if (events.length > 0) this.apply(events);
  }
}
