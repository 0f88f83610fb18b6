import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { sessionEnded } from "./sessionSlice";
import type { Product, WaitPayload } from "./types";

type DialogName = "booking" | "wait" | "leave" | "report";

/** The open dialog, its phone when the button was pressed, and what was typed in the dialog before it. */
type OpenDialog = { dialog: DialogName; product: Product; values?: WaitPayload } | null;

/** Creates the reducer and the action creator that open a dialog. */
const opens = (dialog: DialogName) => ({
  reducer: (_: OpenDialog, { payload }: PayloadAction<{ product: Product; values?: WaitPayload }>) => ({
    dialog,
    ...payload,
  }),
  prepare: (product: Product, values?: WaitPayload) => ({ payload: { product, values } }),
});

const slice = createSlice({
  name: "dialog",
  initialState: null as OpenDialog,
  reducers: {
    /** Book Now: opens the booking dialog. */
    bookingDialogOpened: opens("booking"),
    /** Join waitlist: opens the dialog of the waitlist. */
    waitDialogOpened: opens("wait"),
    /** Leave: opens the question whether to leave the waitlist. */
    leaveDialogOpened: opens("leave"),
    /** Report To Admin: opens the report dialog. */
    reportDialogOpened: opens("report"),
    /** Closes the dialog. */
    dialogClosed: (): OpenDialog => null,
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, () => null);
  },
});

export const { bookingDialogOpened, waitDialogOpened, leaveDialogOpened, reportDialogOpened, dialogClosed } =
  slice.actions;
/** Mounted as `dialog`. */
export const dialogReducer = slice.reducer;

/** The part of the store that the selectors need. */
export interface DialogRoot {
  dialog: OpenDialog;
}

/** The phone of this dialog; null while it is closed. */
export function selectDialogProduct(state: DialogRoot, dialog: DialogName): Product | null {
  return state.dialog?.dialog === dialog ? state.dialog.product : null;
}
