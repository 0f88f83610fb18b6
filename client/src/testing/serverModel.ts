import type { Entity, LiveEvent } from "@/lib/live";

/** One entity of the model: a phone that is free, booked or gone. */
export interface Phone extends Entity {
  booked: boolean;
}

/** Numbers from a seed (mulberry32), so that a failure can be played again. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  };
}

/** Entities on a page; small, so that a handful of phones needs several. */
const PAGE = 3;
/** Events that history keeps. */
const HISTORY = 12;
export const TOPIC = "brand:1";

/** A page on its way: its position is read first, its body later, and it arrives later still. */
export interface Answer {
  position: string;
  cursor: string | null;
  body: { items: Phone[]; next: string | null; total: number } | null;
  arrive: (answer: Answer | "failure") => void;
}

/** The server as the contract promises it, with every delay it allows. */
export class ModelServer {
  readonly phones = new Map<string, Phone>();
  /** Frames on their way to the client; null while no socket is open. */
  wire: object[] | null = null;
  readonly answers: Answer[] = [];
  private outbox: LiveEvent[] = [];
  private log: LiveEvent[] = [];
  private epoch = 1;
  private count = 0;
  private made = 0;
  private follows = false;

  private at(n: number): string {
    return `e${this.epoch}-${n}`;
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
    return { topic: TOPIC, position: "", type, at: "2026-11-21T04:00:00Z", data };
  }

  /** Publishes the oldest event that waits: a change and its event are stored together, told later. */
  publish(): void {
    const event = this.outbox.shift();
    if (!event) return;
    this.count += 1;
    const told = { ...event, position: this.at(this.count) };
    this.log.push(told);
    this.log = this.log.slice(-HISTORY);
    if (this.follows) this.wire?.push({ events: [told] });
  }

  get waiting(): number {
    return this.outbox.length;
  }

  /** A restart without its history: positions of before mean nothing now. */
  restart(): void {
    this.epoch += 1;
    this.count = 0;
    this.log = [];
    this.hangUp();
  }

  accept(): void {
    this.wire = [{ hello: { session: "m", heartbeat: 25 } }];
    this.follows = false;
  }

  hangUp(): void {
    this.wire = null;
    this.follows = false;
  }

  /** A frame from the client. */
  receive(frame: { subscribe?: Record<string, string>; unsubscribe?: string[] }): void {
    if (frame.unsubscribe?.includes(TOPIC)) this.follows = false;
    const from = frame.subscribe?.[TOPIC];
    if (from === undefined) return;
    this.follows = true;
    this.wire?.push({ subscribed: { [TOPIC]: this.at(this.count) } });
    if (from === "") return;
    const [epoch, n] = from.slice(1).split("-").map(Number);
    const oldest = this.count - this.log.length;
    if (epoch !== this.epoch || (n ?? 0) < oldest) this.wire?.push({ resync: [TOPIC] });
    else if ((n ?? 0) < this.count) this.wire?.push({ events: this.log.slice((n ?? 0) - oldest) });
  }

  /** The list as it is now. */
  get list(): Phone[] {
    return [...this.phones.values()].sort((a, b) => (a._id < b._id ? 1 : -1));
  }

  /** A request comes in: the position is read at once. */
  ask(cursor: string | null, arrive: Answer["arrive"]): void {
    this.answers.push({ position: this.at(this.count), cursor, body: null, arrive });
  }

  /** An answer takes its next step: its body is built, or it arrives. */
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
