import { cleanup } from "@testing-library/react";

/** Unmounts what a test rendered, and sends the requests that are delayed after a failure, before the next test. */
export function endScreen(): void {
  cleanup();
  window.dispatchEvent(new Event("online"));
}
