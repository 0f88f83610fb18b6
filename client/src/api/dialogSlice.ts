import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { loggedOut } from "./session";
import type { Product } from "./types";

/** The open dialog, and its phone when the button was pressed. */
export type OpenDialog = { dialog: "booking" | "report"; product: Product } | null;

const slice = createSlice({
  name: "dialog",
  initialState: null as OpenDialog,
  reducers: {
    /** Book Now: opens the booking dialog. */
    bookingDialogOpened: (_, { payload }: PayloadAction<Product>): OpenDialog => ({
      dialog: "booking",
      product: payload,
    }),
    /** Report To Admin: opens the report dialog. */
    reportDialogOpened: (_, { payload }: PayloadAction<Product>): OpenDialog => ({
      dialog: "report",
      product: payload,
    }),
    /** Closes the dialog. */
    dialogClosed: (): OpenDialog => null,
  },
  extraReducers: (builder) => {
    builder.addCase(loggedOut, () => null);
  },
});

export const { bookingDialogOpened, reportDialogOpened, dialogClosed } = slice.actions;
/** Mounted as `dialog`. */
export const dialogReducer = slice.reducer;

/** The part of the store that the selectors need. */
export interface DialogRoot {
  dialog: OpenDialog;
}

/** The phone of this dialog; null while it is closed. */
export function selectDialogProduct(state: DialogRoot, dialog: "booking" | "report"): Product | null {
  return state.dialog?.dialog === dialog ? state.dialog.product : null;
}
