import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
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
}

/** The phone chosen for this dialog, as it was then; null while it is closed. */
export function selectChosen(state: SelectionRoot, dialog: "booking" | "report"): Product | null {
  return state.selection?.dialog === dialog ? state.selection.product : null;
}
