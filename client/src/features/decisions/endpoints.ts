import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import { ofKind } from "@/api/refetchLists";
import type { Decision, Modified } from "@/api/types";

/** One argument object for all renders: the list's key in the cache. */
export const ALL = {};

const decisionsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The decisions against the signed-in person, newest first; live. */
    decisions: build.query(liveList<Decision, PageArg>("decisions", () => "/decisions")),
    /** Asks to look again at a decision, by its _id, once; the code of the error is "over" after that. */
    appealDecision: build.mutation<Modified, { id: string; text: string }>({
      query: ({ id, text }) => ({ url: `/decisions/${id}/appeal`, method: "POST", body: { text } }),
      onQueryStarted: updateAfterWrite(({ id }) => ({ lists: ofKind("decisions"), id })),
    }),
  }),
});

export const { decisions } = decisionsApi.endpoints;
export const { useAppealDecisionMutation } = decisionsApi;
