import { useEffect } from "react";
import imported from "react-use-websocket";

// The package is CommonJS: its default import is the hook in tests, and the whole module in the browser.
const useWebSocket = (imported as typeof imported & { default?: typeof imported }).default ?? imported;

/** The URL and subprotocols of the socket, and the callbacks for its events. */
interface LiveSocketProps {
  url: string;
  protocols: string[];
  onOpen: () => void;
  onMessage: (text: string) => void;
  onClose: (code: number, reason: string) => void;
  /** Called with the function that sends on this socket. */
  onSender: (send: (text: string) => void) => void;
}

/**
 * One WebSocket connection; a new key opens a new one. The library's reconnection is off: its delay depends on the number
 * of attempts only. Connection chooses the delay by close code, renews the token first, and makes no attempt while the
 * browser is offline. The filter prevents a render for each frame.
 */
export function LiveSocket({ url, protocols, onOpen, onMessage, onClose, onSender }: LiveSocketProps) {
  const { sendMessage } = useWebSocket(url, {
    protocols,
    shouldReconnect: () => false,
    retryOnError: false,
    filter: () => false,
    onOpen,
    onMessage: ({ data }) => typeof data === "string" && onMessage(data),
    onClose: ({ code, reason }) => onClose(code, reason),
  });
  useEffect(() => onSender((text) => sendMessage(text, false)), [onSender, sendMessage]);
  return null;
}
