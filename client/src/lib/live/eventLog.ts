import { LIST_RULES } from "./listRules";
import type { Entity, EventLog, LiveEvent, LiveList } from "./types";

/** The most entities per topic: about as many as may change during one list request. */
export const MAX_EVENTS_PER_TOPIC = 2_000;
/** The most topics: a search of the whole market subscribes to one for each brand. */
const MAX_TOPICS = 64;
/** The most removed entities. */
export const MAX_REMOVED = 5_000;
/** The most entities that left a list between two responses. */
export const MAX_DROPPED = 1_000;

/** A log without events. */
export const emptyEventLog: EventLog = {
  recentEvents: {},
  removedVersions: {},
  returned: {},
  droppedVersions: {},
};

/** The key of an entity in the records of versions. */
export function entityKey(entityType: string, id: string): string {
  return `${entityType}:${id}`;
}

/** Drops the oldest keys of a record (insertion order) until it fits. Changes its argument. */
function trim<T>(record: Record<string, T>, limit: number): void {
  const keys = Object.keys(record);
  for (const key of keys.slice(0, Math.max(0, keys.length - limit))) delete record[key];
}

/** A changeable copy of an event log; each part is copied on its first change. */
export class EventLogDraft {
  private removedVersions: Record<string, number> | null = null;
  private returned: Record<string, true> | null = null;
  private recentEvents: Record<string, Record<string, LiveEvent>> | null = null;
  private readonly copiedTopics = new Set<string>();

  constructor(private readonly base: EventLog) {}

  /** True when the entity was removed at this version or a later one. */
  isRemoved(key: string, version: number): boolean {
    const removedVersion = (this.removedVersions ?? this.base.removedVersions)[key];
    return removedVersion !== undefined && removedVersion >= version;
  }

  /** Records that the entity was removed at this version. */
  recordRemoval(key: string, version: number): void {
    this.removedVersions ??= { ...this.base.removedVersions };
    delete this.removedVersions[key];
    this.removedVersions[key] = version;
    if (!(this.returned ?? this.base.returned)[key]) return;
    this.returned ??= { ...this.base.returned };
    delete this.returned[key];
  }

  /** Records that the entity exists in a version after its removal, if it was removed. */
  recordReturn(key: string): void {
    if (!(key in (this.removedVersions ?? this.base.removedVersions))) return;
    this.returned ??= { ...this.base.returned };
    this.returned[key] = true;
  }

  /** Records an event, and returns the newest one of its entity on its topic: a replayed event may be older. */
  recordEvent(event: LiveEvent): LiveEvent {
    const { topic, data } = event;
    this.recentEvents ??= { ...this.base.recentEvents };
    if (!this.copiedTopics.has(topic)) {
      const copy = { ...this.recentEvents[topic] };
      delete this.recentEvents[topic];
      this.recentEvents[topic] = copy;
      this.copiedTopics.add(topic);
    }
    const events = this.recentEvents[topic] as Record<string, LiveEvent>;
    const logged = events[data._id];
    if (logged && logged.data.version > data.version) return logged;
    delete events[data._id];
    events[data._id] = event;
    return event;
  }

  /** The event log with all changes, within its limits. */
  finish(): EventLog {
    if (this.removedVersions) trim(this.removedVersions, MAX_REMOVED);
    if (this.returned) trim(this.returned, MAX_REMOVED);
    if (this.recentEvents) {
      for (const topic of this.copiedTopics) trim(this.recentEvents[topic] ?? {}, MAX_EVENTS_PER_TOPIC);
      trim(this.recentEvents, MAX_TOPICS);
    }
    if (!this.removedVersions && !this.recentEvents) return this.base;
    return {
      ...this.base,
      removedVersions: this.removedVersions ?? this.base.removedVersions,
      returned: this.returned ?? this.base.returned,
      recentEvents: this.recentEvents ?? this.base.recentEvents,
    };
  }
}

/**
 * The event log without the events of these topics (null: of all), for when later ones were missed: the logged ones may
 * be outdated. Removals are kept, since a removed entity never returns with that version.
 */
export function clearEvents(eventLog: EventLog, topics: readonly string[] | null): EventLog {
  if (topics === null)
    return Object.keys(eventLog.recentEvents).length > 0 ? { ...eventLog, recentEvents: {} } : eventLog;
  const known = topics.filter((topic) => topic in eventLog.recentEvents);
  if (known.length === 0) return eventLog;
  const recentEvents = { ...eventLog.recentEvents };
  for (const topic of known) delete recentEvents[topic];
  return { ...eventLog, recentEvents };
}

/** Whether a later version of this entity had already left the list. */
export function wasDropped(eventLog: EventLog, entityType: string, { _id, version }: Entity): boolean {
  return (eventLog.droppedVersions[entityKey(entityType, _id)] ?? 0) > version;
}

/** Records which entities a refetched list no longer has. */
export function recordDropped(eventLog: EventLog, before: LiveList, after: LiveList): EventLog {
  const missing = before.ids.filter((id) => !(id in after.entities));
  if (missing.length === 0) return eventLog;
  const droppedVersions = { ...eventLog.droppedVersions };
  for (const id of missing) {
    const key = entityKey(LIST_RULES[before.kind].entityType, id);
    const version = Math.max(droppedVersions[key] ?? 0, before.entities[id]?.version ?? 0);
    delete droppedVersions[key];
    droppedVersions[key] = version;
  }
  trim(droppedVersions, MAX_DROPPED);
  return { ...eventLog, droppedVersions };
}
