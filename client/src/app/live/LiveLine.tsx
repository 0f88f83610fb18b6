import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { useSelector, useStore } from "react-redux";
import { UNREACHED } from "@/api/baseQuery";
import { connectionChanged } from "@/api/connection";
import type { LiveTopics } from "@/api/live";
import { retryUnreached } from "@/api/retryUnreached";
import { selectAccessToken } from "@/api/session";
import type { AppStore } from "@/app/store";
import { Line, type LineStatus } from "@/lib/live/line";
import { useAnnounce } from "@/ui";
import { LiveSocket } from "./LiveSocket";
import { storePorts } from "./storePorts";

/** Whom the line tells of itself; the same functions from render to render. */
export interface LineProps {
  /** The way to follow topics, once there is one. */
  onTopics: (topics: LiveTopics) => void;
  onStatus: (status: LineStatus) => void;
}

/** One life of the socket. */
interface Life {
  number: number;
  protocols: string[];
}

/** Where the socket is: the own origin, never with a token in the address. */
function liveUrl(): string {
  return `${window.location.origin.replace(/^http/, "ws")}/live`;
}

/** The one live connection of the whole app, inside the store and the announcer. */
export default function LiveLine({ onTopics, onStatus }: LineProps) {
  const store = useStore() as AppStore;
  const announce = useAnnounce();
  const token = useSelector(selectAccessToken);
  const [status, setStatus] = useState<LineStatus>("off");
  const [life, setLife] = useReducer(nextLife, null);
  const send = useRef<(text: string) => void>(() => undefined);

  const line = useMemo(() => {
    const ports = storePorts(store, announce);
    return new Line({
      ...ports,
      connect: (protocols) => setLife(protocols),
      disconnect: () => setLife(null),
      send: (text) => send.current(text),
      status: setStatus,
    });
  }, [store, announce]);

  useEffect(() => {
    line.start(selectAccessToken(store.getState()));
    onTopics({ want: line.want.bind(line), listed: line.listed.bind(line) });
    const leave = watchPage(line);
    return () => {
      leave();
      line.stop();
    };
  }, [line, store, onTopics]);
  useEffect(() => line.setToken(token), [line, token]);
  useEffect(() => onStatus(status), [status, onStatus]);
  // The server is within reach again: what could not be loaded meanwhile is.
  const isLive = status === "live";
  useEffect(() => {
    store.dispatch(connectionChanged(isLive));
    if (isLive) store.dispatch(retryUnreached());
  }, [isLive, store]);
  // A person's own topic is always followed: it says when they are verified, or removed.
  const signedIn = token !== null;
  useEffect(() => (signedIn ? line.want("me", "") : undefined), [line, signedIn]);

  const onSender = useCallback((sender: (text: string) => void) => {
    send.current = sender;
  }, []);
  return (
    life && (
      <LiveSocket
        key={life.number}
        url={liveUrl()}
        protocols={life.protocols}
        onOpen={() => line.opened()}
        onFrame={(text) => line.frame(text)}
        onClose={(code) => line.closed(code)}
        onSender={onSender}
      />
    )
  );
}

let lives = 0;

function nextLife(_: Life | null, protocols: string[] | null): Life | null {
  if (protocols === null) return null;
  lives += 1;
  return { number: lives, protocols };
}

/** Tells the line when the network or the page comes and goes, and when a call did not get through. */
function watchPage(line: Line): () => void {
  const onVisible = () => document.visibilityState === "visible" && line.wake();
  const onOnline = () => line.wake();
  const onOffline = () => line.offline();
  const onUnreached = () => line.doubt();
  document.addEventListener("visibilitychange", onVisible);
  window.addEventListener("online", onOnline);
  window.addEventListener("offline", onOffline);
  window.addEventListener(UNREACHED, onUnreached);
  return () => {
    document.removeEventListener("visibilitychange", onVisible);
    window.removeEventListener("online", onOnline);
    window.removeEventListener("offline", onOffline);
    window.removeEventListener(UNREACHED, onUnreached);
  };
}
