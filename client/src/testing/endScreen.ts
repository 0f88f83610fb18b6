import { cleanup } from "@testing-library/react";

/** Unmounts what a test rendered, and sends the requests that are delayed after a failure: a later click would. */
export function endScreen(): void {
  cleanup();
  window.dispatchEvent(new Event("online"));
}
