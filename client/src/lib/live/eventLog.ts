import { LIST_RULES } from "./listRules";
import type { Entity, EventLog, LiveEvent, LiveList } from "./types";

/** At most this many entities are remembered per topic: what can change while a list answer is under way. */
export const RECENT_PER_TOPIC = 2_000;
/** At most this many topics: a search of the whole market follows one a brand. */
export const RECENT_TOPICS = 64;
/** At most this many removed entities are remembered. */
export const TOMBSTONES = 5_000;
/** At most this many that left a list between two answers. */
export const DEPARTED = 1_000;

/** A log without events. */
export const emptyEventLog: EventLog = { recent: {}, tombstones: {}, departed: {} };

/** The name a removed entity is remembered by. */
export function tombstoneKey(family: string, id: string): string {
  return `${family}:${id}`;
}

/** Drops the oldest keys of a record (insertion order) until it fits. Changes its argument. */
function trim<T>(record: Record<string, T>, limit: number): void {
  const keys = Object.keys(record);
  for (const key of keys.slice(0, Math.max(0, keys.length - limit))) delete record[key];
}

/** A eventLog being written: copies each part once, on its first change. */
export class EventLogDraft {
  private tombstones: Record<string, number> | null = null;
  private recent: Record<string, Record<string, LiveEvent>> | null = null;
  private readonly own = new Set<string>();

  constructor(private readonly base: EventLog) {}

  /** True when the entity is known to be gone at this version or a later one. */
  isGone(key: string, version: number): boolean {
    const at = (this.tombstones ?? this.base.tombstones)[key];
    return at !== undefined && at >= version;
  }

  /** Remembers that the entity is gone. */
  bury(key: string, version: number): void {
    this.tombstones ??= { ...this.base.tombstones };
    delete this.tombstones[key];
    this.tombstones[key] = version;
  }

  /** Remembers the newest event of an entity on its topic, and returns it: a replayed older one gives way. */
  note(event: LiveEvent): LiveEvent {
    const { topic, data } = event;
    this.recent ??= { ...this.base.recent };
    if (!this.own.has(topic)) {
      const copy = { ...this.recent[topic] };
      delete this.recent[topic];
      this.recent[topic] = copy;
      this.own.add(topic);
    }
    const events = this.recent[topic] as Record<string, LiveEvent>;
    const held = events[data._id];
    if (held && held.data.version > data.version) return held;
    delete events[data._id];
    events[data._id] = event;
    return event;
  }

  /** The eventLog with all that was written, within its bounds. */
  done(): EventLog {
    if (this.tombstones) trim(this.tombstones, TOMBSTONES);
    if (this.recent) {
      for (const topic of this.own) trim(this.recent[topic] ?? {}, RECENT_PER_TOPIC);
      trim(this.recent, RECENT_TOPICS);
    }
    if (!this.tombstones && !this.recent) return this.base;
    return {
      ...this.base,
      tombstones: this.tombstones ?? this.base.tombstones,
      recent: this.recent ?? this.base.recent,
    };
  }
}

/** The eventLog after a break in these topics (null: in all): what is gone stays gone, the rest may be outdated. */
export function forget(eventLog: EventLog, topics: readonly string[] | null): EventLog {
  if (topics === null)
    return Object.keys(eventLog.recent).length > 0 ? { ...eventLog, recent: {} } : eventLog;
  const known = topics.filter((topic) => topic in eventLog.recent);
  if (known.length === 0) return eventLog;
  const recent = { ...eventLog.recent };
  for (const topic of known) delete recent[topic];
  return { ...eventLog, recent };
}

/** Whether a later version of this entity had left the list before the event was told. */
export function hasDeparted(eventLog: EventLog, family: string, { _id, version }: Entity): boolean {
  return (eventLog.departed[tombstoneKey(family, _id)] ?? 0) > version;
}

/** Remembers what a list has lost by being fetched anew. */
export function depart(eventLog: EventLog, before: LiveList, after: LiveList): EventLog {
  const lost = before.ids.filter((id) => !(id in after.entities));
  if (lost.length === 0) return eventLog;
  const departed = { ...eventLog.departed };
  for (const id of lost) {
    const key = tombstoneKey(LIST_RULES[before.kind].family, id);
    const version = Math.max(departed[key] ?? 0, before.entities[id]?.version ?? 0);
    delete departed[key];
    departed[key] = version;
  }
  trim(departed, DEPARTED);
  return { ...eventLog, departed };
}
