import { type RefObject, useCallback } from "react";
import { isAboutFile, type UploadState } from "@/lib/uploadState";
import * as t from "@/texts/uploads";
import { Button } from "@/ui/Button";

interface Props {
  state: UploadState | undefined;
  /** The file's name. */
  name: string;
  /** From 1. */
  position: number;
  onStop: () => void;
  onRetry: () => void;
  /** Gets the focus when a focused button here is removed, because the upload has ended. */
  focusAfter: RefObject<HTMLElement | null>;
}

/** The state of an upload, with its buttons. It has the same height in every state. */
export function UploadStatus({ state, name, position, onStop, onRetry, focusAfter }: Props) {
  const keepFocus = useCallback(
    (button: HTMLButtonElement) => () => {
      if (document.activeElement === button) focusAfter.current?.focus();
    },
    [focusAfter],
  );
  const isActive =
    state?.status === "waiting" || state?.status === "uploading" || state?.status === "processing";
  return (
    <div className="flex min-h-15 items-center gap-3">
      <div className="grid min-w-0 flex-1 gap-1.5 text-sm">
        {state && isActive && <ProgressBar state={state} name={name} />}
        {state && <StatusText state={state} />}
      </div>
      {isActive && (
        <Button
          ref={keepFocus}
          size="sm"
          variant="quiet"
          aria-label={t.stopUpload(position)}
          onClick={onStop}
        >
          {t.stop}
        </Button>
      )}
      {(state?.status === "failed" || state?.status === "stopped") && (
        <Button
          ref={keepFocus}
          size="sm"
          variant="secondary"
          aria-label={t.uploadAgain(position)}
          onClick={onRetry}
        >
          {t.retryUpload}
        </Button>
      )}
    </div>
  );
}

function ProgressBar({ state, name }: { state: UploadState; name: string }) {
  const hasTotal = state.status === "uploading" && state.total > 0;
  const percent = hasTotal
    ? Math.floor((100 * state.sent) / state.total)
    : state.status === "processing"
      ? 100
      : 0;
  return (
    <div
      role="progressbar"
      aria-label={t.uploadingFile(name)}
      aria-valuemin={0}
      aria-valuemax={100}
      // Without a value the progress bar is indeterminate.
      aria-valuenow={hasTotal || state.status === "processing" ? percent : undefined}
      aria-valuetext={hasTotal ? t.uploadProgress(state.sent, state.total) : undefined}
      className="h-2 overflow-hidden rounded-full bg-sunk forced-colors:border"
    >
      <div
        className="h-full rounded-full bg-brand transition-[width] forced-colors:bg-[Highlight]"
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}

function StatusText({ state }: { state: UploadState }) {
  if (state.status === "rejected" || state.status === "failed") {
    const { status, message } = state.error;
    const isWhole = isAboutFile(state.error);
    return (
      <p role="alert" className="text-danger">
        <strong>{state.status === "rejected" ? t.notAccepted : t.uploadFailed}</strong>
        <span>{". "}</span>
        {(isWhole || !t.isAdviceComplete(status)) && (
          <>
            <span>{message}</span>
            <span>{". "}</span>
          </>
        )}
        {!isWhole && <span>{t.uploadAdvice(status)}</span>}
      </p>
    );
  }
  return (
    <p className={state.status === "uploaded" ? "text-ok" : "text-muted tabular-nums"}>{statusText(state)}</p>
  );
}

function statusText(state: Exclude<UploadState, { error: unknown }>): string {
  if (state.status === "waiting") return t.waiting;
  if (state.status === "processing") return t.processing;
  if (state.status === "uploaded") return t.uploaded;
  if (state.status === "stopped") return t.stopped;
  return state.total > 0 ? t.uploadProgress(state.sent, state.total) : t.uploading;
}
