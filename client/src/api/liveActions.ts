import { createAction } from "@reduxjs/toolkit";
import type { Entity, LiveEvent } from "@/lib/live";

/** A batch of live events, oldest first: applied to every cached list in one dispatch. */
export const liveApplied = createAction<LiveEvent[]>("live/applied");

/** There was a break in these topics (null: in all): later answers are no longer held against their events. */
export const liveForgotten = createAction<string[] | null>("live/forgotten");

/** One entity as it was read by itself; null once it is not there any more. Lists that hold it take it over. */
export const entityRead = createAction<{ id: string; entity: Entity | null }>("live/entityRead");
