import { useEffect, useRef, useState } from "react";
import type { LiveSocket, SocketProps } from "./LiveSocket";

/** The socket's code, once it is here. */
let loaded: typeof LiveSocket | null = null;

/** Fetches the socket's code: after the first screen is painted is soon enough, and the first load is lighter. */
export async function loadSocket(): Promise<void> {
  loaded = (await import("./LiveSocket")).LiveSocket;
}

/** One life of the socket, whose code comes with the first one. Code that does not come is a connection lost. */
export function LazySocket(props: SocketProps) {
  const [Socket, setSocket] = useState(() => loaded);
  const { onClose } = props;
  const lost = useRef(onClose);
  useEffect(() => {
    lost.current = onClose;
  });
  useEffect(() => {
    if (Socket) return;
    let isHere = true;
    loadSocket().then(
      () => isHere && setSocket(() => loaded),
      () => isHere && lost.current(1006),
    );
    return () => {
      isHere = false;
    };
  }, [Socket]);
  return Socket && <Socket {...props} />;
}
