import { createContext } from "react";
import type { ConnectionStatus } from "@/lib/live";

/** Where the live connection stands; provided by LiveProvider. */
export const LiveStatusContext = createContext<ConnectionStatus>("off");
