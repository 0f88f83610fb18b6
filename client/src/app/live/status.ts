import { createContext } from "react";
import type { ConnectionStatus } from "@/lib/live";

/** The status of the live connection; provided by LiveProvider. */
export const LiveStatusContext = createContext<ConnectionStatus>("off");
