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

/** Subscribes to nothing; used until the connection is loaded, and in tests of one screen. */
export const noTopics: LiveTopics = { subscribe: () => () => undefined, listFetched: () => undefined };

/** Provided once, by app/live. */
export const LiveContext = createContext<LiveTopics>(noTopics);

/**
 * Subscribes to a topic while the screen is shown, from the position of its data; "" means from now on. Null if the
 * topic or the position is not known yet.
 */
export function useLiveTopic(
  topic: string | null | undefined,
  position: string | null | undefined,
  startedAt = 0,
): void {
  const live = useContext(LiveContext);
  const latest = useRef({ position, startedAt });
  latest.current = { position, startedAt };
  const isReady = topic != null && position != null;
  useEffect(() => {
    if (!isReady) return;
    return live.subscribe(topic, latest.current.position ?? "", latest.current.startedAt);
  }, [live, topic, isReady]);
  useEffect(() => {
    if (isReady) live.listFetched(topic, position, startedAt);
  }, [live, topic, position, startedAt, isReady]);
}

/**
 * Subscribes to several topics while the screen is shown, for a list without a position. A list that was requested
 * before the topics are confirmed is refetched then.
 */
export function useLiveTopics(topics: readonly string[], startedAt = 0): void {
  const live = useContext(LiveContext);
  const names = topics.join(" ");
  useEffect(() => {
    const unsubscribes = splitTopics(names).map((topic) => live.subscribe(topic, ""));
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [live, names]);
  useEffect(() => {
    for (const topic of splitTopics(names)) live.listFetched(topic, "", startedAt);
  }, [live, names, startedAt]);
}

const splitTopics = (names: string) => names.split(" ").filter(Boolean);

/** Subscribes to the topic of a list while the screen shows it, and counts the screen (shownLists.ts). */
export function useLiveList(list: LiveList | undefined): void {
  useShownList(list?.id);
  useLiveTopic(list?.topic, list?.position, list?.startedAt);
}
