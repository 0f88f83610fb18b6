import { useEffect, useState, useSyncExternalStore } from "react";
import { steadyNow } from "@/lib/serverTime";
import * as t from "@/texts/layout";
import { tryAgain } from "@/texts/ui";
import { Button, Spinner, useToast } from "@/ui";
import { missingFiles } from "@/ui/lazyPart";
import { ErrorPage } from "./ErrorBoundary";

/** The page is not reloaded within this time after it was loaded, milliseconds: this prevents an endless loop. */
const MIN_PAGE_AGE_MS = 10_000;

const useMissingFile = () => useSyncExternalStore(missingFiles.subscribe, missingFiles.error);

/**
 * Loads the page again if the server can be reached: after a new release an old file no longer exists, and a new page has
 * the new one. Otherwise resolves to false: the browser would show its own error page.
 */
async function reloadIfReachable(): Promise<boolean> {
  if (steadyNow() < MIN_PAGE_AGE_MS) return false;
  try {
    await fetch("/healthz", { cache: "no-store" });
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/** Loads the page again if that may help, else the missing files. */
async function retry(): Promise<void> {
  if (!(await reloadIfReachable())) missingFiles.retry();
}

/** In place of a screen whose file is loading: a spinner, or the error page if the file is missing. */
export function LoadingScreen() {
  const error = useMissingFile();
  return error ? <ErrorPage error={error} onRetry={() => void retry()} /> : <Spinner page />;
}

/**
 * Says that the file of a screen could not be loaded, until it is, with a button that tries again. It is shown beside the
 * screen before it, which the router keeps.
 */
export function MissingFiles() {
  const areMissing = useMissingFile() !== undefined;
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
  const areMissing = useMissingFile() !== undefined;
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (!areMissing) dismiss();
  }, [areMissing, dismiss]);
  const onPress = async () => {
    setBusy(true);
    await retry();
    setBusy(false);
  };
  return (
    <Button size="sm" variant="secondary" busy={isBusy} onClick={() => void onPress()}>
      {tryAgain}
    </Button>
  );
}
