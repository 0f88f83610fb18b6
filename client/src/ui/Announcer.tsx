import { createContext, useCallback, useContext, useEffect, useRef, useState } from "react";
import * as t from "@/texts/ui";
import type { Elements } from "@/ui/Elements";

const Context = createContext<(message: string) => void>(() => undefined);

/** The latest message; `number` counts from 0, which is no message. */
const MessageContext = createContext({ number: 0, text: "" });

/** Messages within this many milliseconds are read out together; only the last three in full. */
export const BATCH_MS = 600;
const MAX_MESSAGES = 3;

/** Holds the announcements of pushed changes; mounted once. */
export function AnnouncerProvider({ children }: { children: Elements }) {
  const [message, setMessage] = useState({ number: 0, text: "" });
  const waiting = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const announce = useCallback((text: string) => {
    waiting.current.push(text);
    timer.current ??= setTimeout(() => {
      const all = waiting.current.splice(0);
      timer.current = undefined;
      const more = all.length - MAX_MESSAGES;
      const text = [...all.slice(-MAX_MESSAGES), ...(more > 0 ? [t.moreChanges(more)] : [])].join(". ");
      setMessage(({ number }) => ({ number: number + 1, text }));
    }, BATCH_MS);
  }, []);

  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <Context value={announce}>
      <MessageContext value={message}>
        {children}
        <AnnouncerRegion />
      </MessageContext>
    </Context>
  );
}

/**
 * The polite live region: screen readers read it, it is not visible and never moves focus. It contains only messages from
 * after it was added. Dialog contains one too, because the page behind an open dialog is inert.
 */
export function AnnouncerRegion() {
  const { number, text } = useContext(MessageContext);
  const [first] = useState(number);
  return (
    <div role="log" aria-live="polite" aria-label={t.liveChanges} className="sr-only">
      {/* A new element each time, so that the same text twice is read out twice. */}
      <span key={number}>{number > first && text}</span>
    </div>
  );
}

/** `announce("iPhone 6 has just been booked")`: batches messages, then reads them out. Stable between renders. */
export function useAnnounce(): (message: string) => void {
  return useContext(Context);
}
