import { createContext, useContext, useEffect, useRef } from "react";
import type { LiveList } from "@/lib/live";
import { useShownList } from "./shownLists";

/** What the live connection offers to screens; app/live provides it. */
export interface LiveTopics {
  /** Needs a topic from a position on ("" for "from now"); the result ends the need. */
  want(topic: string, position: string, startedAt?: number): () => void;
  /** A wanted topic's list has been answered again. */
  listed(topic: string, position: string, startedAt: number): void;
}

/** Without a connection (a test of one screen) nothing is live and nothing breaks. */
export const nobody: LiveTopics = { want: () => () => undefined, listed: () => undefined };

/** Provided once, by app/live. */
export const LiveContext = createContext<LiveTopics>(nobody);

/**
 * Follows a topic while the screen is shown, from the position of what it
 * holds; "" means from now on. Counted: the topic is left with its last screen.
 * Null while there is nothing to follow yet.
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
    return live.want(topic, first.current.position ?? "", first.current.startedAt);
  }, [live, topic, ready]);
  useEffect(() => {
    if (ready) live.listed(topic, position, startedAt);
  }, [live, topic, position, startedAt, ready]);
}

/**
 * Follows several topics while the screen is shown, for a list that carries no position: asked for before they
 * were followed, it is fetched again once they are.
 */
export function useLiveTopics(topics: readonly string[], startedAt = 0): void {
  const live = useContext(LiveContext);
  const names = topics.join(" ");
  useEffect(() => {
    const leaves = named(names).map((topic) => live.want(topic, ""));
    return () => {
      for (const leave of leaves) leave();
    };
  }, [live, names]);
  useEffect(() => {
    for (const topic of named(names)) live.listed(topic, "", startedAt);
  }, [live, names, startedAt]);
}

const named = (names: string) => names.split(" ").filter(Boolean);

/** Follows the topic of a list while the screen that shows it is there. */
export function useLiveList(list: LiveList | undefined): void {
  useShownList(list?.id);
  useLiveTopic(list?.topic, list?.position, list?.startedAt);
}
