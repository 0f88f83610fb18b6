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
import { sayingOf } from "./announce";

type StorePorts = Pick<
  ConnectionPorts,
  | "apply"
  | "forget"
  | "refetch"
  | "subscribed"
  | "reconnected"
  | "denied"
  | "handshakeRefused"
  | "renewToken"
  | "accountRemoved"
>;

/** Visitors are not told that a phone was removed, only that it is not advertised any more. */
const isDoubtful = ({ topic, data }: LiveEvent) => topic === "advertised" && data.advertise !== true;

const holdsSome = (list: LiveList, events: readonly LiveEvent[]) =>
  list.kind === "visitorProducts" && events.some(({ data }) => data._id in list.entities);

/** Whether the event is of something in these lists; of a phone that none of them shows nothing is said. */
const isNear = ({ topic, data }: LiveEvent, lists: readonly LiveList[]) =>
  !topic.startsWith("brand:") || lists.some((list) => data._id in list.entities);

/** The Connection's ports that end in the store. */
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
      const doubtful = events.filter(isDoubtful);
      if (doubtful.length > 0) void dispatch(refetchLists((list) => holdsSome(list, doubtful)));
      const shown = [...Object.values(lists), ...Object.values(listsOf(getState().api))];
      const saying = sayingOf(events.filter((event) => isNear(event, shown)));
      if (saying) announce(saying);
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
    reconnected: () => {
      void dispatch(refetchLists((list) => list.kind === "visitorProducts"));
    },
    // What was allowed is no longer: the role may have changed.
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
