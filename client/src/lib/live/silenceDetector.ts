import { steadyNow } from "@/lib/serverTime";

/** The interval of the server's heartbeats until its hello names one, seconds. */
const DEFAULT_HEARTBEAT_S = 25;
/** After this many heartbeat intervals without a frame the connection is treated as broken. */
const MAX_MISSED_HEARTBEATS = 2.5;
/** The longest time from connecting to the hello, milliseconds. */
const HELLO_TIMEOUT_MS = 10_000;

/** Detects a broken connection: one on which no frame arrives in time. */
export class SilenceDetector {
  private heartbeatMs = DEFAULT_HEARTBEAT_S * 1000;
  private lastFrameAt = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly onSilence: () => void) {}

  /** A socket is being opened, or has been opened: the hello is expected. */
  expectHello(): void {
    this.restart(HELLO_TIMEOUT_MS);
  }

  /** A frame has arrived. */
  frameReceived(): void {
    this.restart(this.maxSilenceMs);
  }

  /** The hello has named the interval of the heartbeats, seconds; 0 keeps the default. */
  setHeartbeat(seconds: number): void {
    if (seconds > 0) this.heartbeatMs = seconds * 1000;
    this.restart(this.maxSilenceMs);
  }

  /** The time since the last frame, milliseconds. */
  get elapsedMs(): number {
    return steadyNow() - this.lastFrameAt;
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private get maxSilenceMs(): number {
    return this.heartbeatMs * MAX_MISSED_HEARTBEATS;
  }

  private restart(ms: number): void {
    this.stop();
    this.lastFrameAt = steadyNow();
    this.timer = setTimeout(this.onSilence, ms);
  }
}
