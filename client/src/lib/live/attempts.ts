import { backoff } from "@/lib/backoff";
import { steadyNow } from "@/lib/serverTime";

/** After a connection of this duration, milliseconds, the delays start from the first one again. */
const STABLE_CONNECTION_MS = 10_000;

/** After this many refused handshakes in a row the token is renewed. */
const MAX_REFUSALS = 2;

/** Counts the attempts to connect and the refused handshakes; from these follow the next delay and the next token. */
export class Attempts {
  private count = 0;
  private refusals = 0;
  private openedAt: number | null = null;

  /** A socket has been opened. */
  opened(): void {
    this.openedAt = steadyNow();
  }

  /** The server has accepted the connection, or the token has been renewed. */
  resetRefusals(): void {
    this.refusals = 0;
  }

  /** A socket has closed, with or without a hello before. Returns whether this was the first refusal in a row. */
  closed(isRefused: boolean): boolean {
    if (this.openedAt !== null && steadyNow() - this.openedAt > STABLE_CONNECTION_MS) this.count = 0;
    this.openedAt = null;
    this.refusals = isRefused ? this.refusals + 1 : 0;
    return this.refusals === 1;
  }

  /** The server wants another token. */
  requireToken(): void {
    this.refusals = MAX_REFUSALS;
  }

  /** Whether the token must be renewed before the next attempt. */
  get mustRenewToken(): boolean {
    return this.refusals >= MAX_REFUSALS;
  }

  /** The delay before the next attempt, milliseconds; the first one is random up to `jitterMs`. `random` is 0 to 1. */
  nextDelay(random: number, jitterMs: number): number {
    return backoff(this.count++, random, jitterMs);
  }
}
