import { useEffect, useRef } from "react";
import imported from "react-use-websocket";

// The package is CommonJS: its default import is the hook in the tests, and the whole module in the browser.
const useWebSocket = (imported as typeof imported & { default?: typeof imported }).default ?? imported;

/** Where to connect, and the callbacks for what happens to the socket. */
export interface SocketProps {
  url: string;
  protocols: string[];
  onOpen: () => void;
  onFrame: (text: string) => void;
  onClose: (code: number) => void;
  /** Called with the function that sends on this socket. */
  onSender: (send: (text: string) => void) => void;
}

/**
 * One WebSocket connection; a new key makes a new one. The library's own reconnecting is off: it waits by the number of
 * tries alone, while Connection waits by close code, renews the token first, and stops while the browser is offline.
 * Its filter keeps it from rendering once per frame.
 */
export function LiveSocket({ url, protocols, onOpen, onFrame, onClose, onSender }: SocketProps) {
  const mounted = useRef(true);
  const { sendMessage } = useWebSocket(url, {
    protocols,
    shouldReconnect: () => false,
    retryOnError: false,
    filter: () => false,
    onOpen: () => mounted.current && onOpen(),
    onMessage: ({ data }) => mounted.current && typeof data === "string" && onFrame(data),
    onClose: ({ code }) => mounted.current && onClose(code),
  });
  useEffect(() => {
    mounted.current = true;
    onSender((text) => sendMessage(text, false));
    return () => {
      mounted.current = false;
    };
  }, [onSender, sendMessage]);
  return null;
}
