import { createSlice, type PayloadAction } from "@reduxjs/toolkit";

const slice = createSlice({
  name: "connection",
  initialState: { isLive: false },
  reducers: {
    /** The live connection was established or lost. */
    connectionChanged: (state, { payload }: PayloadAction<boolean>) => {
      state.isLive = payload;
    },
  },
});

export const { connectionChanged } = slice.actions;
/** Mounted as `connection`. */
export const connectionReducer = slice.reducer;

/** The part of the store that the selector needs. */
export interface ConnectionRoot {
  connection: { isLive: boolean };
}

/** Whether the live connection works now. */
export const selectIsLive = (state: ConnectionRoot): boolean => state.connection.isLive;
