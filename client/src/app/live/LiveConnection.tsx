import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { useSelector, useStore } from "react-redux";
import { UNREACHED } from "@/api/baseQuery";
import { connectionChanged } from "@/api/connection";
import type { LiveTopics } from "@/api/live";
import { retryUnreached } from "@/api/retryUnreached";
import { selectAccessToken } from "@/api/session";
import type { AppStore } from "@/app/store";
import { Connection, type ConnectionStatus } from "@/lib/live";
import { useAnnounce } from "@/ui";
import { LiveSocket } from "./LiveSocket";
import { storePorts } from "./storePorts";

/** Whom the connection tells of itself; the same functions from render to render. */
export interface LiveConnectionProps {
  /** The way to follow topics, once there is one. */
  onTopics: (topics: LiveTopics) => void;
  onStatus: (status: ConnectionStatus) => void;
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
export default function LiveConnection({ onTopics, onStatus }: LiveConnectionProps) {
  const store = useStore() as AppStore;
  const announce = useAnnounce();
  const token = useSelector(selectAccessToken);
  const [status, setStatus] = useState<ConnectionStatus>("off");
  const [life, setLife] = useReducer(nextLife, null);
  const send = useRef<(text: string) => void>(() => undefined);

  const connection = useMemo(() => {
    const ports = storePorts(store, announce);
    return new Connection({
      ...ports,
      connect: (protocols) => setLife(protocols),
      disconnect: () => setLife(null),
      send: (text) => send.current(text),
      status: setStatus,
    });
  }, [store, announce]);

  useEffect(() => {
    connection.start(selectAccessToken(store.getState()));
    onTopics({ want: connection.want.bind(connection), listed: connection.listed.bind(connection) });
    const leave = watchPage(connection);
    return () => {
      leave();
      connection.stop();
    };
  }, [connection, store, onTopics]);
  useEffect(() => connection.setToken(token), [connection, token]);
  useEffect(() => onStatus(status), [status, onStatus]);
  // The server is within reach again: what could not be loaded meanwhile is.
  const isLive = status === "live";
  useEffect(() => {
    store.dispatch(connectionChanged(isLive));
    if (isLive) store.dispatch(retryUnreached());
  }, [isLive, store]);
  // A person's own topic is always followed: it says when they are verified, or removed.
  const signedIn = token !== null;
  useEffect(() => (signedIn ? connection.want("me", "") : undefined), [connection, signedIn]);

  const onSender = useCallback((sender: (text: string) => void) => {
    send.current = sender;
  }, []);
  return (
    life && (
      <LiveSocket
        key={life.number}
        url={liveUrl()}
        protocols={life.protocols}
        onOpen={() => connection.opened()}
        onFrame={(text) => connection.frame(text)}
        onClose={(code) => connection.closed(code)}
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

/** Tells the connection when the network or the page comes and goes, and when a call did not get through. */
function watchPage(connection: Connection): () => void {
  const onVisible = () => document.visibilityState === "visible" && connection.wake();
  const onOnline = () => connection.wake();
  const onOffline = () => connection.offline();
  const onUnreached = () => connection.probe();
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
