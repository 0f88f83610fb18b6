import { useSelector } from "react-redux";
import type { LiveList } from "@/lib/live";
import { afterWrite } from "./afterWrite";
import { type ApiRoot, api } from "./api";
import { liveList } from "./liveList";
import { createOwnByPhone, type OwnArg, useOwnList } from "./ownList";
import { ofKind } from "./refetchLists";
import type { SessionRoot } from "./sessionSlice";
import type { Deleted, Wait, Waiting, WaitPayload } from "./types";

const pathOf = (productID: string) => `/products/${encodeURIComponent(productID)}`;

/** Updates the person's own list and the phone after a call; `entry` is the _id of the entry that ends. */
const updates = (productID: string, entry: string | undefined, call: PromiseLike<unknown>) => [
  afterWrite({ lists: ofKind("waits"), id: entry }, call),
  afterWrite(
    { lists: ({ entities }: LiveList) => productID in entities, id: productID, path: pathOf(productID) },
    call,
  ),
];

const waitlist = api.injectEndpoints({
  endpoints: (build) => ({
    /** The phones that one buyer waits for; live. */
    waits: build.query(
      liveList<Wait, OwnArg>("waits", ({ email }) => `/waitlist?email=${encodeURIComponent(email)}`),
    ),
    /** Puts the signed-in buyer on the waitlist of a held phone. */
    joinWaitlist: build.mutation<Waiting, { productID: string; values: WaitPayload }>({
      query: ({ productID, values }) => ({
        url: `${pathOf(productID)}/waitlist`,
        method: "PUT",
        body: values,
      }),
      onQueryStarted: async ({ productID }, { dispatch, queryFulfilled }) => {
        await Promise.all(updates(productID, undefined, queryFulfilled).map(dispatch));
      },
    }),
    /** Takes the signed-in buyer off it. */
    leaveWaitlist: build.mutation<Deleted, Wait>({
      query: ({ productID }) => ({ url: `${pathOf(productID)}/waitlist`, method: "DELETE" }),
      onQueryStarted: async ({ productID, _id }, { dispatch, queryFulfilled }) => {
        await Promise.all(updates(productID, _id, queryFulfilled).map(dispatch));
      },
    }),
  }),
});

export const { waits } = waitlist.endpoints;
export const { useJoinWaitlistMutation, useLeaveWaitlistMutation } = waitlist;

/** Loads the phones that the signed-in buyer waits for and keeps the list live. */
export const useOwnWaits = () => useOwnList(waits);

const selectOwnWaits = createOwnByPhone(waits);

/** The signed-in buyer's place on this phone's waitlist, if there is one and this screen uses useOwnWaits. */
export function useOwnWait(productID: string): Wait | undefined {
  return useSelector((state: SessionRoot & ApiRoot) => selectOwnWaits(state).get(productID));
}
