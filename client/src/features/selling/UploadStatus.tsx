import { type RefObject, useCallback } from "react";
import * as t from "@/texts/selling";
import { Button } from "@/ui";
import type { UploadState } from "./uploads";

interface Props {
  state: UploadState | undefined;
  /** The file's name. */
  name: string;
  /** Counts from 1. */
  place: number;
  onStop: () => void;
  onAgain: () => void;
  /** Gets the focus when a focused button here is removed, because the upload has ended. */
  focusAfter: RefObject<HTMLElement | null>;
}

/** The upload state of a photograph with its buttons. It has the same height in every state. */
export function UploadStatus({ state, name, place, onStop, onAgain, focusAfter }: Props) {
  const keepFocus = useCallback(
    (button: HTMLButtonElement) => () => {
      if (document.activeElement === button) focusAfter.current?.focus();
    },
    [focusAfter],
  );
  const isUnderWay = state?.is === "waiting" || state?.is === "sending" || state?.is === "developing";
  return (
    <div className="flex min-h-15 items-center gap-3">
      <div className="grid min-w-0 flex-1 gap-1.5 text-sm">
        {state && isUnderWay && <Bar state={state} name={name} />}
        {state && <Words state={state} />}
      </div>
      {isUnderWay && (
        <Button ref={keepFocus} size="sm" variant="quiet" aria-label={t.stopSending(place)} onClick={onStop}>
          {t.stop}
        </Button>
      )}
      {(state?.is === "failed" || state?.is === "stopped") && (
        <Button
          ref={keepFocus}
          size="sm"
          variant="secondary"
          aria-label={t.sendAgain(place)}
          onClick={onAgain}
        >
          {t.again}
        </Button>
      )}
    </div>
  );
}

function Bar({ state, name }: { state: UploadState; name: string }) {
  const known = state.is === "sending" && state.total > 0;
  const percent = known ? Math.floor((100 * state.sent) / state.total) : state.is === "developing" ? 100 : 0;
  return (
    <div
      role="progressbar"
      aria-label={t.sendingOf(name)}
      aria-valuemin={0}
      aria-valuemax={100}
      // Without a value it says that it goes on, and not how far it is.
      aria-valuenow={known || state.is === "developing" ? percent : undefined}
      aria-valuetext={known ? t.sentOf(state.sent, state.total) : undefined}
      className="h-2 overflow-hidden rounded-full bg-sunk forced-colors:border"
    >
      <div
        className="h-full rounded-full bg-brand transition-[width] forced-colors:bg-[Highlight]"
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}

function Words({ state }: { state: UploadState }) {
  if (state.is === "refused" || state.is === "failed") {
    const { status, message } = state.error;
    return (
      <p role="alert" className="text-danger">
        <strong>{state.is === "refused" ? t.refused : t.failed}</strong>
        {". "}
        {!t.saysAll(status) && (
          <>
            <span>{message}</span>
            {". "}
          </>
        )}
        <span>{t.adviceOf(status)}</span>
      </p>
    );
  }
  return <p className={state.is === "there" ? "text-ok" : "text-muted tabular-nums"}>{wordsOf(state)}</p>;
}

function wordsOf(state: Exclude<UploadState, { error: unknown }>): string {
  if (state.is === "waiting") return t.waiting;
  if (state.is === "developing") return t.developing;
  if (state.is === "there") return t.there;
  if (state.is === "stopped") return t.stopped;
  return state.total > 0 ? t.sentOf(state.sent, state.total) : t.sending;
}
