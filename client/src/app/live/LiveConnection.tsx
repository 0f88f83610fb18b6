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

/** Callbacks of the connection; the same functions in every render. */
export interface LiveConnectionProps {
  /** Called with the functions that subscribe to topics. */
  onTopics: (topics: LiveTopics) => void;
  onStatus: (status: ConnectionStatus) => void;
}

/** One socket; each has another number. */
interface SocketKey {
  number: number;
  protocols: string[];
}

/** The address of the socket: on the own origin, and never with a token in it. */
function liveUrl(): string {
  return `${window.location.origin.replace(/^http/, "ws")}/live`;
}

/** The one live connection of the whole app, inside the store and the announcer. */
export default function LiveConnection({ onTopics, onStatus }: LiveConnectionProps) {
  const store = useStore() as AppStore;
  const announce = useAnnounce();
  const token = useSelector(selectAccessToken);
  const [status, setStatus] = useState<ConnectionStatus>("off");
  const [socket, setSocket] = useReducer(nextSocket, null);
  const send = useRef<(text: string) => void>(() => undefined);

  const connection = useMemo(() => {
    const ports = storePorts(store, announce);
    return new Connection({
      ...ports,
      openSocket: (protocols) => setSocket(protocols),
      closeSocket: () => setSocket(null),
      send: (text) => send.current(text),
      onStatus: setStatus,
    });
  }, [store, announce]);

  useEffect(() => {
    connection.start(selectAccessToken(store.getState()));
    onTopics({
      subscribe: connection.subscribe.bind(connection),
      listFetched: connection.listFetched.bind(connection),
    });
    const leave = watchPage(connection);
    return () => {
      leave();
      connection.stop();
    };
  }, [connection, store, onTopics]);
  useEffect(() => connection.setToken(token), [connection, token]);
  useEffect(() => onStatus(status), [status, onStatus]);
  // The server can be reached again: repeat the queries that failed to reach it.
  const isLive = status === "live";
  useEffect(() => {
    store.dispatch(connectionChanged(isLive));
    if (isLive) store.dispatch(retryUnreached());
  }, [isLive, store]);
  // The user's own topic is always subscribed: its events say that they were verified or removed.
  const signedIn = token !== null;
  useEffect(() => (signedIn ? connection.subscribe("me", "") : undefined), [connection, signedIn]);

  const onSender = useCallback((sender: (text: string) => void) => {
    send.current = sender;
  }, []);
  return (
    socket && (
      <LiveSocket
        key={socket.number}
        url={liveUrl()}
        protocols={socket.protocols}
        onOpen={() => connection.onOpen()}
        onFrame={(text) => connection.onMessage(text)}
        onClose={(code) => connection.onClose(code)}
        onSender={onSender}
      />
    )
  );
}

let sockets = 0;

function nextSocket(_: SocketKey | null, protocols: string[] | null): SocketKey | null {
  if (protocols === null) return null;
  sockets += 1;
  return { number: sockets, protocols };
}

/** Calls the connection when the network or the page's visibility changes, and when a call did not reach the server. */
function watchPage(connection: Connection): () => void {
  const onVisible = () => document.visibilityState === "visible" && connection.reconnectIfNeeded();
  const onOnline = () => connection.reconnectIfNeeded();
  const onOffline = () => connection.goOffline();
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
