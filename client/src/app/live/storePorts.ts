import { liveApplied, liveForgotten } from "@/api/liveActions";
import { refetchLists } from "@/api/liveList";
import { selectMe } from "@/api/me";
import { refetchRole, sellerVerified } from "@/api/role";
import { loggedOut, selectAccessToken } from "@/api/session";
import type { AppStore } from "@/app/store";
import { renew } from "@/features/auth";
import type { LinePorts, LiveEvent } from "@/lib/live";
import * as t from "@/texts/session";
import { sayingOf } from "./announce";

type StorePorts = Pick<LinePorts, "apply" | "forget" | "refetch" | "fresh" | "denied" | "renew" | "removed">;

/** The Line's ports that end in the store. */
export function storePorts(store: AppStore, announce: (message: string) => void): StorePorts {
  const { dispatch, getState } = store;
  const removed = () => {
    if (selectAccessToken(getState()) !== null) dispatch(loggedOut(t.accountRemoved));
  };
  const personal = (event: LiveEvent) => {
    if (event.type === "account.removed") removed();
    const email = selectMe(getState())?.email;
    if (event.type === "seller.verified" && email) dispatch(sellerVerified(email));
  };
  return {
    apply: (events) => {
      dispatch(liveApplied(events));
      events.forEach(personal);
      const saying = sayingOf(events);
      if (saying) announce(saying);
    },
    forget: (topics) => {
      dispatch(liveForgotten(topics));
    },
    refetch: (topic) => {
      if (topic === "me") dispatch(refetchRole());
      return dispatch(refetchLists((list) => list.topic === topic));
    },
    // Before this the verified flag, or a single order, was read without a position: it may have changed in between.
    fresh: (topic) => {
      if (topic === "me") dispatch(refetchRole());
      void dispatch(refetchLists((list) => list.topic === topic && list.position === null));
    },
    // What was allowed is no longer: the role may have changed.
    denied: () => {
      dispatch(refetchRole());
    },
    renew: async () => {
      const before = selectAccessToken(getState());
      await dispatch(renew());
      const after = selectAccessToken(getState());
      return after === before ? null : after;
    },
    removed,
  };
}
