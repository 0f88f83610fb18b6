import { createContext, useContext, useEffect, useRef } from "react";
import type { LiveList } from "@/lib/live";
import { useShownList } from "./shownLists";

/** The functions of the live connection that screens use; app/live provides them. */
export interface LiveTopics {
  /** Subscribes to a topic from a position on ("" for "from now"); the returned function unsubscribes. */
  subscribe(topic: string, position: string, startedAt?: number): () => void;
  /** A list of a subscribed topic has been fetched again. */
  listFetched(topic: string, position: string, startedAt: number): void;
}

/** Before the connection is loaded, and in tests of one screen: no topic is subscribed. */
export const noTopics: LiveTopics = { subscribe: () => () => undefined, listFetched: () => undefined };

/** Provided once, by app/live. */
export const LiveContext = createContext<LiveTopics>(noTopics);

/**
 * Subscribes to a topic while the screen is shown, from the position of its data; "" means from now on. The
 * subscription ends with the last screen that needs it. Null for none yet.
 */
export function useLiveTopic(
  topic: string | null | undefined,
  position: string | null | undefined,
  startedAt = 0,
): void {
  const live = useContext(LiveContext);
  const first = useRef({ position, startedAt });
  first.current = { position, startedAt };
  const ready = topic != null && position != null;
  useEffect(() => {
    if (!ready) return;
    return live.subscribe(topic, first.current.position ?? "", first.current.startedAt);
  }, [live, topic, ready]);
  useEffect(() => {
    if (ready) live.listFetched(topic, position, startedAt);
  }, [live, topic, position, startedAt, ready]);
}

/**
 * Subscribes to several topics while the screen is shown, for a list without a position: it is refetched once the
 * topics are in force, if it was requested before that.
 */
export function useLiveTopics(topics: readonly string[], startedAt = 0): void {
  const live = useContext(LiveContext);
  const names = topics.join(" ");
  useEffect(() => {
    const unsubscribes = named(names).map((topic) => live.subscribe(topic, ""));
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [live, names]);
  useEffect(() => {
    for (const topic of named(names)) live.listFetched(topic, "", startedAt);
  }, [live, names, startedAt]);
}

const named = (names: string) => names.split(" ").filter(Boolean);

/** Subscribes to the topic of a list while the screen shows it, and counts the screen (shownLists.ts). */
export function useLiveList(list: LiveList | undefined): void {
  useShownList(list?.id);
  useLiveTopic(list?.topic, list?.position, list?.startedAt);
}
