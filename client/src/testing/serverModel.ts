import type { Entity, LiveEvent } from "@/lib/live";

/** One entity of the model: a phone that is available, booked or removed. */
export interface Phone extends Entity {
  booked: boolean;
  resalePrice: number;
}

/** A function that returns random integers below its argument, from a seed (mulberry32): a failure can be repeated. */
export function seededRandomInt(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
}

/** Entities on a page; few, so that a short list has several pages. */
const PAGE_SIZE = 3;
/** The number of events in a topic's history. */
const HISTORY_LENGTH = 12;
export const TOPIC = "brand:1";
/** The topics of several brands: a search of the market takes the events of all. */
export const TOPICS: readonly string[] = [TOPIC, "brand:2", "brand:3"];

/** A pending response: its position is read first, then its body, and then it arrives. */
export interface ModelResponse {
  position: string;
  cursor: string | null;
  body: { items: Phone[]; next: string | null; total: number } | null;
  onArrival: (response: ModelResponse | "failure") => void;
}

/** A model of the server, with every delay that the live protocol allows. */
export class ModelServer {
  readonly phones = new Map<string, Phone>();
  /** Frames that the client has not received yet; null while no socket is open. */
  inFlight: object[] | null = null;
  readonly pendingResponses: ModelResponse[] = [];
  private outbox: LiveEvent[] = [];
  private readonly log = new Map<string, LiveEvent[]>();
  private epoch = 1;
  private readonly count = new Map<string, number>();
  private createdCount = 0;
  private readonly subscribed = new Set<string>();

  /** The topics; new phones are assigned to them in turn. */
  constructor(
    readonly topics: readonly string[] = [TOPIC],
    /** Whether booked phones are last, so that a phone moves with each booking. */
    private readonly isByAvailability = false,
  ) {}

  private positionOf(topic: string): string {
    return `e${this.epoch}-${this.count.get(topic) ?? 0}`;
  }

  /** A phone's topic: that of its brand. */
  private topicOf(id: string): string {
    return this.topics[Number(id.slice(2)) % this.topics.length] ?? TOPIC;
  }

  add(): void {
    this.createdCount += 1;
    this.store(
      { _id: `id${String(this.createdCount).padStart(4, "0")}`, version: 1, booked: false, resalePrice: 1 },
      "product.added",
    );
  }

  toggleBooked(id: string): void {
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

  /** Publishes the oldest unpublished event: a change and its event are stored together, and the event is published later. */
  publish(): void {
    const event = this.outbox.shift();
    if (!event) return;
    const { topic } = event;
    this.count.set(topic, (this.count.get(topic) ?? 0) + 1);
    const published = { ...event, position: this.positionOf(topic) };
    this.log.set(topic, [...(this.log.get(topic) ?? []), published].slice(-HISTORY_LENGTH));
    if (this.subscribed.has(topic)) this.inFlight?.push({ events: [published] });
  }

  /** Restarts without the history: earlier positions are unknown. */
  restart(): void {
    this.epoch += 1;
    this.count.clear();
    this.log.clear();
    this.closeSocket();
  }

  accept(): void {
    this.inFlight = [{ hello: { session: "m", heartbeat: 25 } }];
    this.subscribed.clear();
  }

  closeSocket(): void {
    this.inFlight = null;
    this.subscribed.clear();
  }

  /** Receives a frame from the client. */
  receive(frame: { subscribe?: Record<string, string>; unsubscribe?: string[] }): void {
    for (const topic of frame.unsubscribe ?? []) this.subscribed.delete(topic);
    for (const [topic, from] of Object.entries(frame.subscribe ?? {})) this.subscribe(topic, from);
  }

  private subscribe(topic: string, position: string): void {
    this.subscribed.add(topic);
    this.inFlight?.push({ subscribed: { [topic]: this.positionOf(topic) } });
    if (position === "") return;
    const [epoch, n = 0] = position.slice(1).split("-").map(Number);
    const [log, count] = [this.log.get(topic) ?? [], this.count.get(topic) ?? 0];
    const oldest = count - log.length;
    if (epoch !== this.epoch || n < oldest) this.inFlight?.push({ resync: [topic] });
    else if (n < count) this.inFlight?.push({ events: log.slice(n - oldest) });
  }

  /** The current list. */
  get list(): Phone[] {
    return [...this.phones.values()].sort((a, b) => (this.keyOf(a) < this.keyOf(b) ? 1 : -1));
  }

  /** What the list is sorted by, the largest first; also the cursor after the phone. */
  private keyOf({ _id, booked }: Phone): string {
    return this.isByAvailability ? `${booked ? 0 : 1} ${_id}` : _id;
  }

  /** Receives a request: the position is read at once. */
  request(cursor: string | null, onArrival: ModelResponse["onArrival"]): void {
    this.pendingResponses.push({ position: this.positionOf(TOPIC), cursor, body: null, onArrival });
  }

  /** Advances a response by one step: its body is built, or it arrives. */
  advanceResponse(index: number, fails: boolean): void {
    const response = this.pendingResponses[index];
    if (!response) return;
    if (response.body && !fails) {
      this.pendingResponses.splice(index, 1);
      response.onArrival(response);
    } else if (fails) {
      this.pendingResponses.splice(index, 1);
      response.onArrival("failure");
    } else {
      const rest = this.list.filter((phone) => !response.cursor || this.keyOf(phone) < response.cursor);
      const items = rest.slice(0, PAGE_SIZE);
      const last = items.at(-1);
      const next = last && rest.length > PAGE_SIZE ? this.keyOf(last) : null;
      response.body = { items, next, total: this.phones.size };
    }
  }
}
