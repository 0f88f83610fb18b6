import { LIST_RULES } from "./listRules";
import type { Entity, EventLog, LiveEvent, LiveList } from "./types";

/** At most this many entities per topic: as many as may change during one list request. */
export const RECENT_PER_TOPIC = 2_000;
/** At most this many topics: a search of the whole market subscribes to one for each brand. */
const RECENT_TOPICS = 64;
/** At most this many removed entities. */
export const TOMBSTONES = 5_000;
/** At most this many entities that left a list between two responses. */
export const DEPARTED = 1_000;

/** A log without events. */
export const emptyEventLog: EventLog = { recent: {}, tombstones: {}, departed: {} };

/** The key of a removed entity. */
export function tombstoneKey(family: string, id: string): string {
  return `${family}:${id}`;
}

/** Drops the oldest keys of a record (insertion order) until it fits. Changes its argument. */
function trim<T>(record: Record<string, T>, limit: number): void {
  const keys = Object.keys(record);
  for (const key of keys.slice(0, Math.max(0, keys.length - limit))) delete record[key];
}

/** An event log that is being changed: copies each part once, on its first change. */
export class EventLogDraft {
  private tombstones: Record<string, number> | null = null;
  private recent: Record<string, Record<string, LiveEvent>> | null = null;
  private readonly own = new Set<string>();

  constructor(private readonly base: EventLog) {}

  /** True when the entity was removed at this version or a later one. */
  isRemoved(key: string, version: number): boolean {
    const at = (this.tombstones ?? this.base.tombstones)[key];
    return at !== undefined && at >= version;
  }

  /** Records that the entity was removed at this version. */
  recordRemoval(key: string, version: number): void {
    this.tombstones ??= { ...this.base.tombstones };
    delete this.tombstones[key];
    this.tombstones[key] = version;
  }

  /** Records an event, and returns the newest one of its entity on its topic: a replayed event may be older. */
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

  /** The event log with all changes, within its limits. */
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

/** The event log after events of these topics (null: of all) were missed: removals stay true, the rest may be outdated. */
export function forget(eventLog: EventLog, topics: readonly string[] | null): EventLog {
  if (topics === null)
    return Object.keys(eventLog.recent).length > 0 ? { ...eventLog, recent: {} } : eventLog;
  const known = topics.filter((topic) => topic in eventLog.recent);
  if (known.length === 0) return eventLog;
  const recent = { ...eventLog.recent };
  for (const topic of known) delete recent[topic];
  return { ...eventLog, recent };
}

/** Whether a later version of this entity had already left the list. */
export function hasDeparted(eventLog: EventLog, family: string, { _id, version }: Entity): boolean {
  return (eventLog.departed[tombstoneKey(family, _id)] ?? 0) > version;
}

/** Records which entities a refetched list no longer has. */
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
