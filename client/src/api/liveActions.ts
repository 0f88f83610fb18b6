import { createAction } from "@reduxjs/toolkit";
import type { Entity, LiveEvent } from "@/lib/live";

/** A batch of live events, oldest first: applied to every cached list in one dispatch. */
export const liveApplied = createAction<LiveEvent[]>("live/applied");

/** Events of these topics (null: of all) were missed: the logged ones are not applied to later responses. */
export const liveForgotten = createAction<string[] | null>("live/forgotten");

/** One entity that was fetched on its own; null if it no longer exists. The lists that contain it are updated. */
export const entityRead = createAction<{ id: string; entity: Entity | null }>("live/entityRead");
