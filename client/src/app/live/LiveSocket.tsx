import { useEffect, useRef } from "react";
// The package is CommonJS without named exports of the hook: built, its default import is the module and not the hook.
import { useWebSocket } from "react-use-websocket/dist/lib/use-websocket";

/** Where to connect, and whom to tell. */
export interface SocketProps {
  url: string;
  protocols: string[];
  onOpen: () => void;
  onFrame: (text: string) => void;
  onClose: (code: number) => void;
  /** Handed the way to send while this socket lives. */
  onSender: (send: (text: string) => void) => void;
}

/**
 * One life of the socket; a new key makes a new one. Coming back is the Connection's
 * business, so the library's own reconnecting is off; its filter keeps it from
 * rendering once per frame.
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
