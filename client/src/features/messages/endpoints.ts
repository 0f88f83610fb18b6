import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveEntity } from "@/api/liveEntity";
import { liveList, type PageArg } from "@/api/liveList";
import { ofKind } from "@/api/refetchLists";
import type {
  Deleted,
  Inserted,
  Message,
  Modified,
  NewOffer,
  Offer,
  OfferAnswer,
  OfferAnswered,
  OfferMade,
  Thread,
} from "@/api/types";

/** A text to send; `confirm` sends one that looks like contact data. */
interface NewText {
  text: string;
  key: string;
  confirm?: boolean;
}

const query = (params: Record<string, string | undefined>) => {
  const set = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return set.length > 0 ? `?${new URLSearchParams(set)}` : "";
};

const messagesApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The signed-in person's conversations; live. The screen sorts them by their last messages. */
    threads: build.query(
      liveList<Thread, PageArg>(
        "threads",
        ({ filter }) => `/threads${query({ productID: filter?.productID })}`,
      ),
    ),
    /** One of them; live. */
    thread: build.query(
      liveEntity<Thread, { id: string }>("thread", ({ id }) => `/threads/${encodeURIComponent(id)}`),
    ),
    /** The lines of the thread of the filter, newest first; live. */
    messages: build.query(
      liveList<Message, PageArg>(
        "messages",
        ({ filter }) => `/threads/${encodeURIComponent(filter?.threadID ?? "")}/messages`,
      ),
    ),
    /** A person's own offers, on both sides; live. */
    offers: build.query(
      liveList<Offer, PageArg & { email: string }>(
        "offers",
        ({ email, filter }) => `/offers${query({ email, productID: filter?.productID })}`,
      ),
    ),
    startThread: build.mutation<Inserted, NewText & { productID: string }>({
      query: (body) => ({ url: "/threads", method: "POST", body }),
    }),
    sendMessage: build.mutation<Inserted, NewText & { threadID: string }>({
      query: ({ threadID, ...body }) => ({ url: `/threads/${threadID}/messages`, method: "POST", body }),
      onQueryStarted: updateAfterWrite(() => ({ lists: ofKind("messages") })),
    }),
    readThread: build.mutation<Modified, { threadID: string; upTo: string }>({
      query: ({ threadID, upTo }) => ({ url: `/threads/${threadID}/read`, method: "PUT", body: { upTo } }),
    }),
    block: build.mutation<Modified | Deleted, { threadID: string; isBlocked: boolean }>({
      query: ({ threadID, isBlocked }) => ({
        url: `/threads/${threadID}/block`,
        method: isBlocked ? "PUT" : "DELETE",
      }),
      onQueryStarted: updateAfterWrite(({ threadID }) => ({
        lists: (list) => list.kind === "thread" || list.kind === "threads",
        id: threadID,
        path: `/threads/${threadID}`,
      })),
    }),
    reportThread: build.mutation<Inserted, { threadID: string; reason: string; messages: string[] }>({
      query: ({ threadID, ...body }) => ({ url: `/threads/${threadID}/report`, method: "POST", body }),
    }),
    makeOffer: build.mutation<OfferMade, NewOffer>({
      query: (body) => ({ url: "/offers", method: "POST", body }),
      onQueryStarted: updateAfterWrite(() => ({ lists: ofKind("offers") })),
    }),
    answerOffer: build.mutation<OfferAnswered, OfferAnswer & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/offers/${id}`, method: "PUT", body }),
      onQueryStarted: updateAfterWrite(({ id }) => ({ lists: ofKind("offers"), id })),
    }),
    /** A thread with each person that the signed-in user has blocked. */
    blockedThreads: build.query<Thread[], void>({
      query: () => "/threads?blocked=true",
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { threads, thread, messages, offers } = messagesApi.endpoints;
export const {
  useStartThreadMutation,
  useSendMessageMutation,
  useReadThreadMutation,
  useBlockMutation,
  useReportThreadMutation,
  useMakeOfferMutation,
  useAnswerOfferMutation,
  useThreadQuery,
  useBlockedThreadsQuery,
} = messagesApi;

/** Whether one side has to answer it. */
export const isOpen = ({ status }: Offer) => status === "open" || status === "countered";

/** The argument of the list of all threads: one object for all renders, as it is the list's key in the cache. */
export const ALL: PageArg = {};

export const newestFirst = (a: Thread, b: Thread) => Date.parse(b.last.at) - Date.parse(a.last.at);
