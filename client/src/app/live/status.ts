import { createContext } from "react";
import type { LineStatus } from "@/lib/live";

/** Where the live connection stands; provided by LiveProvider. */
export const LiveStatusContext = createContext<LineStatus>("off");
