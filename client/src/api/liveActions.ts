import { createAction } from "@reduxjs/toolkit";
import type { LiveEvent } from "@/lib/live";

/** A batch of live events, oldest first: applied to every cached list in one dispatch. */
export const liveApplied = createAction<LiveEvent[]>("live/applied");

/** There was a break in these topics (null: in all): later answers are no longer held against their events. */
export const liveForgotten = createAction<string[] | null>("live/forgotten");
