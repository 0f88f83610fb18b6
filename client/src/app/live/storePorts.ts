import { eventsCleared, eventsReceived } from "@/api/liveActions";
import { cachedLists } from "@/api/liveReducer";
import { refetchLists } from "@/api/refetchLists";
import { refetchRole, sellerVerified } from "@/api/role";
import { selectAccessToken, selectMe, sessionEnded } from "@/api/sessionSlice";
import type { AppStore } from "@/app/store";
import { checkSession } from "@/features/auth/sessionEnd";
import { renewToken, tokenChangedElsewhere } from "@/features/auth/sessionThunks";
import {
  type ConnectionPorts,
  type EventLog,
  type LiveEvent,
  type LiveList,
  listsWithUnknownTotal,
  receivesTopic,
} from "@/lib/live";
import * as t from "@/texts/session";
import { announcementOf } from "./announce";
import { TotalRefetch } from "./totalRefetch";

type StorePorts = Pick<
  ConnectionPorts,
  | "applyEvents"
  | "clearEvents"
  | "refetchLists"
  | "refetchUnpositioned"
  | "onDenied"
  | "onHandshakeRefused"
  | "renewToken"
  | "onTokenRefused"
  | "onAccountRemoved"
>;

/** Whether a list or the event log already has this version of the entity: a replayed event may be older. */
const isKnown = ({ topic, data }: LiveEvent, lists: readonly LiveList[], { recentEvents }: EventLog) =>
  [...lists.map(({ entities }) => entities[data._id]), recentEvents[topic]?.[data._id]?.data].some(
    (entity) => entity !== undefined && entity.version >= data.version,
  );

/** Whether the event may be announced: one of a brand's topic only if one of these lists contains its phone. */
const isShown = ({ topic, data }: LiveEvent, lists: readonly LiveList[]) =>
  !topic.startsWith("brand:") || lists.some((list) => data._id in list.entities);

/**
 * What a window says when its session was ended elsewhere. The key is the reason of the close frame: all of these have the
 * code 4401, and the protocol has no other code for them (contract section 5).
 */
const END_REASONS: Record<string, string> = {
  "password changed": t.passwordChanged,
  "email address changed": t.emailChanged,
  "second factor switched on": t.secondFactorOn,
  "second factor switched off": t.secondFactorOff,
  "Google account linked or unlinked": t.googleChanged,
  "signed out on another device": t.signedOutElsewhere,
};

/** The reason of the close frame when another tab has ended the session. With any other reason, the token is renewed. */
const SIGNED_OUT = "signed out";

/** The ports of Connection that read or change the store. */
export function storePorts(store: AppStore, announce: (message: string) => void): StorePorts {
  const { dispatch, getState } = store;
  const onAccountRemoved = () => {
    if (selectAccessToken(getState()) !== null)
      dispatch(sessionEnded({ by: "removed", reason: t.accountRemoved }));
  };
  const handlePersonalEvent = (event: LiveEvent) => {
    if (event.type === "account.removed") onAccountRemoved();
    // A buyer has become a seller, or the person's role as an admin has changed.
    if (event.topic === "me" && event.type === "user.changed") dispatch(refetchRole());
    const email = selectMe(getState())?.email;
    if (event.type === "seller.verified" && email)
      dispatch(sellerVerified(email, event.data.status === "verified"));
  };
  const totals = new TotalRefetch((ids) => dispatch(refetchLists(({ id = "" }) => ids.has(id))));
  return {
    applyEvents: (events) => {
      const { api, eventLog } = getState();
      const lists = Object.values(cachedLists(api));
      const news = events.filter((event) => !isKnown(event, lists, eventLog));
      totals.add(listsWithUnknownTotal(lists, news));
      dispatch(eventsReceived(events));
      events.forEach(handlePersonalEvent);
      const affected = [...lists, ...Object.values(cachedLists(getState().api))];
      const message = announcementOf(news.filter((event) => isShown(event, affected)));
      if (message) announce(message);
    },
    clearEvents: (topics) => {
      dispatch(eventsCleared(topics));
    },
    refetchLists: (topics) => {
      if (topics.includes("me")) dispatch(refetchRole());
      return dispatch(refetchLists((list) => topics.some((topic) => receivesTopic(list, topic))));
    },
    // The verified flag, a single order and a search are fetched without a position, and watched phones without one of
    // their brands: they may have changed since then.
    refetchUnpositioned: (topics) => {
      if (topics.includes("me")) dispatch(refetchRole());
      return dispatch(
        refetchLists((list) =>
          topics.some(
            (topic) => receivesTopic(list, topic) && (list.position === null || list.topic !== topic),
          ),
        ),
      );
    },
    // The user may no longer read the topic: the role may have changed.
    onDenied: () => {
      dispatch(refetchRole());
    },
    onHandshakeRefused: () => void dispatch(checkSession()),
    renewToken: async () => {
      const before = selectAccessToken(getState());
      await dispatch(renewToken());
      const after = selectAccessToken(getState());
      return after === before ? null : after;
    },
    onTokenRefused: (reason) => {
      if (selectAccessToken(getState()) === null) return;
      const endReason = END_REASONS[reason];
      if (endReason) dispatch(sessionEnded({ by: "server", reason: endReason }));
      // By another tab of this browser, whose storage event may come later.
      if (reason === SIGNED_OUT) void dispatch(tokenChangedElsewhere(null));
    },
    onAccountRemoved,
  };
}
