import { liveApplied, liveForgotten } from "@/api/liveActions";
import { refetchLists } from "@/api/liveList";
import { listsOf } from "@/api/liveReducer";
import { selectMe } from "@/api/me";
import { refetchRole, sellerVerified } from "@/api/role";
import { loggedOut, selectAccessToken } from "@/api/session";
import type { AppStore } from "@/app/store";
import { doubt, renew } from "@/features/auth/session";
import { type ConnectionPorts, hears, type LiveEvent, type LiveList } from "@/lib/live";
import * as t from "@/texts/session";
import { messageOf } from "./announce";

type StorePorts = Pick<
  ConnectionPorts,
  | "apply"
  | "forget"
  | "refetch"
  | "subscribed"
  | "denied"
  | "handshakeRefused"
  | "renewToken"
  | "accountRemoved"
>;

/** Whether the event is announced: one of a brand's topic is so only if one of these lists contains its phone. */
const isAnnounced = ({ topic, data }: LiveEvent, lists: readonly LiveList[]) =>
  !topic.startsWith("brand:") || lists.some((list) => data._id in list.entities);

/** The ports of Connection that read or change the store. */
export function storePorts(store: AppStore, announce: (message: string) => void): StorePorts {
  const { dispatch, getState } = store;
  const accountRemoved = () => {
    if (selectAccessToken(getState()) !== null) dispatch(loggedOut(t.accountRemoved));
  };
  const personal = (event: LiveEvent) => {
    if (event.type === "account.removed") accountRemoved();
    const email = selectMe(getState())?.email;
    if (event.type === "seller.verified" && email)
      dispatch(sellerVerified(email, event.data.status === "verified"));
  };
  return {
    apply: (events) => {
      const lists = listsOf(getState().api);
      dispatch(liveApplied(events));
      events.forEach(personal);
      const shown = [...Object.values(lists), ...Object.values(listsOf(getState().api))];
      const message = messageOf(events.filter((event) => isAnnounced(event, shown)));
      if (message) announce(message);
    },
    forget: (topics) => {
      dispatch(liveForgotten(topics));
    },
    refetch: (topics) => {
      if (topics.includes("me")) dispatch(refetchRole());
      return dispatch(refetchLists((list) => topics.some((topic) => hears(list, topic))));
    },
    // The verified flag, a single order and a search are read without a position: they may have changed since.
    subscribed: (topics) => {
      if (topics.includes("me")) dispatch(refetchRole());
      return dispatch(
        refetchLists((list) => list.position === null && topics.some((topic) => hears(list, topic))),
      );
    },
    // The topic is not allowed any more: the role may have changed.
    denied: () => {
      dispatch(refetchRole());
    },
    handshakeRefused: () => void dispatch(doubt()),
    renewToken: async () => {
      const before = selectAccessToken(getState());
      await dispatch(renew());
      const after = selectAccessToken(getState());
      return after === before ? null : after;
    },
    accountRemoved,
  };
}
