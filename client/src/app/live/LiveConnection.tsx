import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSelector, useStore } from "react-redux";
import { NETWORK_ERROR_EVENT } from "@/api/baseQuery";
import { connectionChanged } from "@/api/connectionSlice";
import type { LiveTopics } from "@/api/live";
import { retryFailedQueries } from "@/api/retryFailedQueries";
import { selectAccessToken } from "@/api/sessionSlice";
import type { AppStore } from "@/app/store";
import { Connection, type ConnectionStatus } from "@/lib/live";
import { onWake } from "@/lib/wake";
import { useAnnounce } from "@/ui";
import { LiveSocket } from "./LiveSocket";
import { storePorts } from "./storePorts";

/** Callbacks of the connection; the same functions in every render. */
interface LiveConnectionProps {
  /** Called with the functions that subscribe to topics. */
  onTopics: (topics: LiveTopics) => void;
  onStatus: (status: ConnectionStatus) => void;
}

/** One socket; `key` is unique, so that React mounts a new component for each. */
interface SocketState {
  key: number;
  protocols: string[];
}

let socketCount = 0;

/** The URL of the socket, on the own origin. It never contains a token. */
function liveUrl(): string {
  return `${window.location.origin.replace(/^http/, "ws")}/live`;
}

/** The live connection of the whole app; mounted once, inside the store and the announcer. */
export default function LiveConnection({ onTopics, onStatus }: LiveConnectionProps) {
  const store = useStore() as AppStore;
  const announce = useAnnounce();
  const token = useSelector(selectAccessToken);
  const [status, setStatus] = useState<ConnectionStatus>("off");
  const [socket, setSocket] = useState<SocketState | null>(null);
  // The socket that the connection has opened. React unmounts the one before it later, and until then it receives frames.
  const currentKey = useRef(0);
  const send = useRef<(text: string) => void>(() => undefined);

  const connection = useMemo(() => {
    const ports = storePorts(store, announce);
    return new Connection({
      ...ports,
      openSocket: (protocols) => {
        socketCount += 1;
        currentKey.current = socketCount;
        setSocket({ key: socketCount, protocols });
      },
      closeSocket: () => {
        currentKey.current = 0;
        setSocket(null);
      },
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
    const removeListeners = listenToBrowser(connection);
    return () => {
      removeListeners();
      connection.stop();
    };
  }, [connection, store, onTopics]);
  useEffect(() => connection.setToken(token), [connection, token]);
  useEffect(() => onStatus(status), [status, onStatus]);
  // The server can be reached again: repeat the queries that did not reach it.
  const isLive = status === "live";
  useEffect(() => {
    store.dispatch(connectionChanged(isLive));
    if (isLive) store.dispatch(retryFailedQueries());
  }, [isLive, store]);
  // The user's own topic is always subscribed: its events report that the user was verified or deleted.
  const isSignedIn = token !== null;
  useEffect(() => (isSignedIn ? connection.subscribe("me", "") : undefined), [connection, isSignedIn]);

  const onSender = useCallback((sender: (text: string) => void) => {
    send.current = sender;
  }, []);
  const isCurrent = () => socket?.key === currentKey.current;
  return (
    socket && (
      <LiveSocket
        key={socket.key}
        url={liveUrl()}
        protocols={socket.protocols}
        onOpen={() => isCurrent() && connection.onOpen()}
        onMessage={(text) => isCurrent() && connection.onMessage(text)}
        onClose={(code, reason) => isCurrent() && connection.onClose(code, reason)}
        onSender={onSender}
      />
    )
  );
}

/** Calls the connection when the page wakes, when the network is lost, and when a request did not reach the server. */
function listenToBrowser(connection: Connection): () => void {
  const removeOnWake = onWake(() => connection.wake());
  const onOffline = () => connection.goOffline();
  const onNetworkError = () => connection.probe();
  window.addEventListener("offline", onOffline);
  window.addEventListener(NETWORK_ERROR_EVENT, onNetworkError);
  return () => {
    removeOnWake();
    window.removeEventListener("offline", onOffline);
    window.removeEventListener(NETWORK_ERROR_EVENT, onNetworkError);
  };
}
