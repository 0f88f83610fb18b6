import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { isLiveList } from "@/lib/live";
import { loggedOut } from "./session";
import type { Product } from "./types";

/** Which dialog stands open, and for which phone, as it was when its card's button was pressed. */
export type Selection = { dialog: "booking" | "report"; product: Product } | null;

const slice = createSlice({
  name: "selection",
  initialState: null as Selection,
  reducers: {
    /** Book Now: opens the booking dialog. */
    bookingChosen: (_, { payload }: PayloadAction<Product>): Selection => ({
      dialog: "booking",
      product: payload,
    }),
    /** Report To Admin: opens the report dialog. */
    reportChosen: (_, { payload }: PayloadAction<Product>): Selection => ({
      dialog: "report",
      product: payload,
    }),
    /** The dialog is done with or dismissed. */
    selectionCleared: (): Selection => null,
  },
  extraReducers: (builder) => {
    builder.addCase(loggedOut, () => null);
  },
});

export const { bookingChosen, reportChosen, selectionCleared } = slice.actions;
/** Mounted as `selection`. */
export const selectionReducer = slice.reducer;

/** The part of the store that the selectors need. */
export interface SelectionRoot {
  selection: Selection;
  api: { queries: Record<string, { data?: unknown } | undefined> };
}

/** The phone chosen for this dialog, as it was then; null while it is closed. */
export function selectChosen(state: SelectionRoot, dialog: "booking" | "report"): Product | null {
  return state.selection?.dialog === dialog ? state.selection.product : null;
}

/** The chosen phone as the lists show it now: "gone" once no list has it, null while nothing is chosen. */
export function selectChosenNow(state: SelectionRoot): Product | "gone" | null {
  const chosen = state.selection?.product;
  if (!chosen) return null;
  let listed = false;
  for (const entry of Object.values(state.api.queries)) {
    if (!isLiveList(entry?.data) || entry.data.kind !== "brandProducts") continue;
    const now = entry.data.entities[chosen._id] as Product | undefined;
    if (now) return now;
    listed ||= entry.data.topic === `brand:${chosen.id}`;
  }
  return listed ? "gone" : chosen;
}
