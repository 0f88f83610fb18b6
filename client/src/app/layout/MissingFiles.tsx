import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import * as t from "@/texts/layout";
import { tryAgain } from "@/texts/ui";
import { Button, useToast } from "@/ui";
import { missingFiles } from "@/ui/lazyPart";

/** The page is not reloaded within this time after it was loaded, milliseconds: this prevents an endless loop. */
const MIN_PAGE_AGE_MS = 10_000;

const useAreFilesMissing = () => useSyncExternalStore(missingFiles.subscribe, missingFiles.exist);

/**
 * Loads the page again if the server can be reached: after a new release an old file no longer exists, and a new page has
 * the new one. Otherwise resolves to false: the browser would show its own error page.
 */
async function reloadIfReachable(): Promise<boolean> {
  if (performance.now() < MIN_PAGE_AGE_MS) return false;
  try {
    await fetch("/healthz", { cache: "no-store" });
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/** Says that a screen's file could not be loaded, until it is, with a button that tries again. */
export function MissingFiles() {
  const areMissing = useAreFilesMissing();
  const toast = useToast();
  useEffect(() => {
    if (!areMissing) return;
    void reloadIfReachable();
    toast(t.screenNotLoaded, "error", (dismiss) => <TryAgain dismiss={dismiss} />, true);
  }, [areMissing, toast]);
  return null;
}

/** The button in the toast, which goes once the file is there. */
function TryAgain({ dismiss }: { dismiss: () => void }) {
  const areMissing = useAreFilesMissing();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (!areMissing) dismiss();
  }, [areMissing, dismiss]);
  const retry = useCallback(async () => {
    setBusy(true);
    if (!(await reloadIfReachable())) missingFiles.retry();
    setBusy(false);
  }, []);
  return (
    <Button size="sm" variant="secondary" busy={isBusy} onClick={() => void retry()}>
      {tryAgain}
    </Button>
  );
}
