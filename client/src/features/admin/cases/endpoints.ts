import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveEntity } from "@/api/liveEntity";
import { liveList, type PageArg } from "@/api/liveList";
import { ofKind } from "@/api/refetchLists";
import type { Case, CaseDecisionBody, CaseDetail, Modified } from "@/api/types";

/** The argument of the list of cases. */
interface CasesArg extends PageArg {
  filter: { state: Case["state"] };
}

/** The lists of cases by state, one argument object each for all renders. */
export const OPEN: CasesArg = { filter: { state: "open" } };
export const APPEALED: CasesArg = { filter: { state: "appealed" } };
export const DECIDED: CasesArg = { filter: { state: "decided" } };
export const CLOSED: CasesArg = { filter: { state: "closed" } };

/** The page of a case, by its _id. */
export const casePath = (id: string) => `/dashboard/cases/${id}`;

const updateCase = updateAfterWrite(({ id }: { id: string }) => ({ lists: ofKind("cases", "case"), id }));

const casesApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The cases in a state, the oldest first; live. */
    cases: build.query(liveList<Case, CasesArg>("cases", ({ filter: { state } }) => `/cases?state=${state}`)),
    /** One case; live. Its events have a Case without the other fields. The audit log says who has read it. */
    caseDetail: build.query({
      ...liveEntity<Case & Partial<CaseDetail>, { id: string }>(
        "case",
        ({ id }) => `/cases/${encodeURIComponent(id)}`,
      ),
      keepUnusedDataFor: 0,
    }),
    /** Decides a case. The code of the error is "conflict" if it has changed since, "decided" if it is decided. */
    decideCase: build.mutation<Modified, CaseDecisionBody & { id: string }>({
      query: ({ id, ...body }) => ({ url: `/cases/${id}`, method: "PUT", body }),
      onQueryStarted: updateCase,
    }),
    /** Decides an appeal; with the same codes. */
    answerAppeal: build.mutation<
      Modified,
      { id: string; version: number; outcome: "upheld" | "reversed"; words: string }
    >({
      query: ({ id, ...body }) => ({ url: `/cases/${id}/appeal`, method: "PUT", body }),
      onQueryStarted: updateCase,
    }),
  }),
});

export const { cases } = casesApi.endpoints;
export const { useCaseDetailQuery, useDecideCaseMutation, useAnswerAppealMutation } = casesApi;
