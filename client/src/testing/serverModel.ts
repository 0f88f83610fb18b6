import type { Entity, LiveEvent } from "@/lib/live";

/** One entity of the model: a phone that is available, booked or removed. */
export interface Phone extends Entity {
  booked: boolean;
}

/** Random numbers from a seed (mulberry32), so that a failure can be repeated. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  };
}

/** Entities on a page; few, so that a short list has several pages. */
const PAGE = 3;
/** The number of events in the history. */
const HISTORY = 12;
export const TOPIC = "brand:1";
/** The topics of several brands: a search of the market takes the events of all. */
export const TOPICS: readonly string[] = [TOPIC, "brand:2", "brand:3"];

/** A response under way: its position is read first, then its body, and then it arrives. */
export interface Answer {
  position: string;
  cursor: string | null;
  body: { items: Phone[]; next: string | null; total: number } | null;
  arrive: (answer: Answer | "failure") => void;
}

/** The server as the contract describes it, with every delay that it allows. */
export class ModelServer {
  readonly phones = new Map<string, Phone>();
  /** Frames that the client has not received yet; null while no socket is open. */
  wire: object[] | null = null;
  readonly answers: Answer[] = [];
  private outbox: LiveEvent[] = [];
  private readonly log = new Map<string, LiveEvent[]>();
  private epoch = 1;
  private readonly count = new Map<string, number>();
  private made = 0;
  private readonly follows = new Set<string>();

  /** The topics; new phones are in them by turns. */
  constructor(readonly topics: readonly string[] = [TOPIC]) {}

  private at(topic: string): string {
    return `e${this.epoch}-${this.count.get(topic) ?? 0}`;
  }

  /** A phone's topic: that of its brand. */
  private topicOf(id: string): string {
    return this.topics[Number(id.slice(2)) % this.topics.length] ?? TOPIC;
  }

  add(): void {
    this.made += 1;
    this.store(
      { _id: `id${String(this.made).padStart(4, "0")}`, version: 1, booked: false },
      "product.added",
    );
  }

  flip(id: string): void {
    const phone = this.phones.get(id);
    if (!phone) return;
    const next = { ...phone, version: phone.version + 1, booked: !phone.booked };
    this.store(next, next.booked ? "product.booked" : "product.released");
  }

  remove(id: string): void {
    const phone = this.phones.get(id);
    if (!phone) return;
    this.phones.delete(id);
    this.outbox.push(this.event("product.removed", { _id: id, version: phone.version + 1 }));
  }

  private store(phone: Phone, type: string): void {
    this.phones.set(phone._id, phone);
    this.outbox.push(this.event(type, { ...phone }));
  }

  private event(type: string, data: LiveEvent["data"]): LiveEvent {
    return { topic: this.topicOf(data._id), position: "", type, at: "2026-11-21T04:00:00Z", data };
  }

  /** Publishes the oldest unpublished event: a change and its event are stored together, and published later. */
  publish(): void {
    const event = this.outbox.shift();
    if (!event) return;
    const { topic } = event;
    this.count.set(topic, (this.count.get(topic) ?? 0) + 1);
    const told = { ...event, position: this.at(topic) };
    this.log.set(topic, [...(this.log.get(topic) ?? []), told].slice(-HISTORY));
    if (this.follows.has(topic)) this.wire?.push({ events: [told] });
  }

  get waiting(): number {
    return this.outbox.length;
  }

  /** A restart that loses the history: earlier positions are unknown. */
  restart(): void {
    this.epoch += 1;
    this.count.clear();
    this.log.clear();
    this.hangUp();
  }

  accept(): void {
    this.wire = [{ hello: { session: "m", heartbeat: 25 } }];
    this.follows.clear();
  }

  hangUp(): void {
    this.wire = null;
    this.follows.clear();
  }

  /** A frame from the client. */
  receive(frame: { subscribe?: Record<string, string>; unsubscribe?: string[] }): void {
    for (const topic of frame.unsubscribe ?? []) this.follows.delete(topic);
    for (const [topic, from] of Object.entries(frame.subscribe ?? {})) this.subscribe(topic, from);
  }

  private subscribe(topic: string, from: string): void {
    this.follows.add(topic);
    this.wire?.push({ subscribed: { [topic]: this.at(topic) } });
    if (from === "") return;
    const [epoch, n = 0] = from.slice(1).split("-").map(Number);
    const [log, count] = [this.log.get(topic) ?? [], this.count.get(topic) ?? 0];
    const oldest = count - log.length;
    if (epoch !== this.epoch || n < oldest) this.wire?.push({ resync: [topic] });
    else if (n < count) this.wire?.push({ events: log.slice(n - oldest) });
  }

  /** The current list. */
  get list(): Phone[] {
    return [...this.phones.values()].sort((a, b) => (a._id < b._id ? 1 : -1));
  }

  /** Receives a request: the position is read at once. */
  ask(cursor: string | null, arrive: Answer["arrive"]): void {
    this.answers.push({ position: this.at(TOPIC), cursor, body: null, arrive });
  }

  /** The next step of a response: its body is built, or it arrives. */
  step(index: number, fails: boolean): void {
    const answer = this.answers[index];
    if (!answer) return;
    if (answer.body && !fails) {
      this.answers.splice(index, 1);
      answer.arrive(answer);
    } else if (fails) {
      this.answers.splice(index, 1);
      answer.arrive("failure");
    } else {
      const rest = this.list.filter(({ _id }) => !answer.cursor || _id < answer.cursor);
      const items = rest.slice(0, PAGE);
      const next = rest.length > PAGE ? (items.at(-1)?._id ?? null) : null;
      answer.body = { items, next, total: this.phones.size };
    }
  }
}
