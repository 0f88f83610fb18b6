import { createContext, type ReactNode, useContext } from "react";
import type { ConnectionStatus } from "@/lib/live";
import { cx } from "@/ui/cx";

/** The status of the live connection; provided once, by app/live. */
export const LiveStatusContext = createContext<ConnectionStatus>("off");

const useIsLive = () => useContext(LiveStatusContext) === "live";

/** A decorative dot beside texts about live data. It pulses a few times when it appears, and is grey while the data is not live. */
export function LiveDot({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "inline-block size-2 shrink-0 rounded-full",
        useIsLive() ? "animate-beat bg-current" : "bg-edge",
        className,
      )}
    />
  );
}

/** A text that is true only while the data is live; `otherwise` is shown in its place while it is not. */
export function LiveText({ children, otherwise }: { children: ReactNode; otherwise: ReactNode }) {
  const isLive = useIsLive();
  return <span>{isLive ? children : otherwise}</span>;
}
