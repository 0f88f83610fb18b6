import { createAction } from "@reduxjs/toolkit";
import type { Entity, LiveEvent } from "@/lib/live";

/** A batch of live events has arrived, oldest first. It is applied to every cached list. */
export const eventsReceived = createAction<LiveEvent[]>("live/eventsReceived");

/** Clears the logged events of these topics (null: of all): later events were missed, so these may be outdated. */
export const eventsCleared = createAction<string[] | null>("live/eventsCleared");

/** One entity was fetched on its own; null if it no longer exists. The lists that contain it are updated. */
export const entityFetched = createAction<{ id: string; entity: Entity | null }>("live/entityFetched");
