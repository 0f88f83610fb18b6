import { liveApplied, liveForgotten } from "@/api/liveActions";
import { refetchLists } from "@/api/liveList";
import { listsOf } from "@/api/liveReducer";
import { selectMe } from "@/api/me";
import { refetchRole, sellerVerified } from "@/api/role";
import { loggedOut, selectAccessToken } from "@/api/session";
import type { AppStore } from "@/app/store";
import { doubt, renew } from "@/features/auth/session";
import { type ConnectionPorts, type LiveEvent, type LiveList, receivesTopic } from "@/lib/live";
import * as t from "@/texts/session";
import { messageOf } from "./announce";

type StorePorts = Pick<
  ConnectionPorts,
  | "applyEvents"
  | "clearEvents"
  | "refetchLists"
  | "refetchUnpositioned"
  | "onDenied"
  | "onHandshakeRefused"
  | "renewToken"
  | "onAccountRemoved"
>;

/** Whether the event is announced: one of a brand's topic is so only if one of these lists contains its phone. */
const isAnnounced = ({ topic, data }: LiveEvent, lists: readonly LiveList[]) =>
  !topic.startsWith("brand:") || lists.some((list) => data._id in list.entities);

/** The ports of Connection that read or change the store. */
export function storePorts(store: AppStore, announce: (message: string) => void): StorePorts {
  const { dispatch, getState } = store;
  const onAccountRemoved = () => {
    if (selectAccessToken(getState()) !== null) dispatch(loggedOut(t.accountRemoved));
  };
  const personal = (event: LiveEvent) => {
    if (event.type === "account.removed") onAccountRemoved();
    const email = selectMe(getState())?.email;
    if (event.type === "seller.verified" && email)
      dispatch(sellerVerified(email, event.data.status === "verified"));
  };
  return {
    applyEvents: (events) => {
      const lists = listsOf(getState().api);
      dispatch(liveApplied(events));
      events.forEach(personal);
      const shown = [...Object.values(lists), ...Object.values(listsOf(getState().api))];
      const message = messageOf(events.filter((event) => isAnnounced(event, shown)));
      if (message) announce(message);
    },
    clearEvents: (topics) => {
      dispatch(liveForgotten(topics));
    },
    refetchLists: (topics) => {
      if (topics.includes("me")) dispatch(refetchRole());
      return dispatch(refetchLists((list) => topics.some((topic) => receivesTopic(list, topic))));
    },
    // The verified flag, a single order and a search are read without a position: they may have changed since.
    refetchUnpositioned: (topics) => {
      if (topics.includes("me")) dispatch(refetchRole());
      return dispatch(
        refetchLists((list) => list.position === null && topics.some((topic) => receivesTopic(list, topic))),
      );
    },
    // The topic is not allowed any more: the role may have changed.
    onDenied: () => {
      dispatch(refetchRole());
    },
    onHandshakeRefused: () => void dispatch(doubt()),
    renewToken: async () => {
      const before = selectAccessToken(getState());
      await dispatch(renew());
      const after = selectAccessToken(getState());
      return after === before ? null : after;
    },
    onAccountRemoved,
  };
}
