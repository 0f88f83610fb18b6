/** A socket that the host opened for a page. */
export interface Wire {
  send(text: string): void;
  /** Drops it; nothing more is heard of it. */
  drop(): void;
}

/** Whom the host tells of a socket's life. */
export interface Ears {
  opened(): void;
  frame(text: string): void;
  closed(code: number): void;
}

/** What a page has of the world around it, beside the globals that the host hands its bundle. */
export interface World {
  connect(protocols: string[], ears: Ears): Wire;
  /** 0 to 1. */
  random(): number;
  /** Has the card provider's sandbox confirm a payment, as its script in the page would; the answer's status. */
  confirm(intent: string, secret: string): Promise<number>;
  /** The session was ended for the person, and they were told why. */
  left(why: string): void;
}

/** Chance as the driver dealt it: numbers from 0 to 1, so that a seed says what everybody tries. */
export type Dice = readonly number[];

/** One of several, by chance; undefined where there is none. */
export function pick<T>(all: readonly T[], chance = 0): T | undefined {
  return all[Math.min(all.length - 1, Math.floor(chance * all.length))];
}

/** What somebody tried, and how that ended: an HTTP status, 0 for no answer, null where there was nothing to try. */
export interface Deed {
  status: number | null;
  code?: string;
  /** The e-mail of somebody whom it concerned. */
  whom?: string;
}
