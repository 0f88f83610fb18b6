import { skipToken } from "@reduxjs/toolkit/query";
import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import { liveEntity } from "@/api/liveEntity";
import { useMe } from "@/api/me";
import { ofKind } from "@/api/refetchLists";
import type { EmailSettings, Modified, Role } from "@/api/types";

/** The only argument, because each user has one entity. */
const MINE = {};

const emailsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Which notifications the signed-in user gets emails about; live. */
    emailSettings: build.query(
      liveEntity<EmailSettings, { id?: string }>("emailSettings", () => "/notifications/settings"),
    ),
    /** Changes the choices for the given kinds. */
    setEmails: build.mutation<Modified, { id: string; email: EmailSettings["email"] }>({
      query: ({ email }) => ({ url: "/notifications/settings", method: "PUT", body: { email } }),
      onQueryStarted: updateAfterWrite(({ id }) => ({ lists: ofKind("emailSettings"), id })),
    }),
  }),
});

export const { useSetEmailsMutation } = emailsApi;

/** Loads the user's choices and keeps them live. */
export function useEmailSettings() {
  const query = emailsApi.useEmailSettingsQuery(useMe() ? MINE : skipToken);
  const list = query.currentData;
  useLiveList(list);
  return {
    settings: list?.entities[list.ids[0] ?? ""],
    error: query.error && !list ? toApiError(query.error).message : undefined,
    isFetching: query.isFetching,
    retry: () => void query.refetch(),
  };
}

/** The kinds of notifications that each role gets, in the order of the screen; a moderator gets none of orders. */
const KINDS: Record<Role, string[]> = {
  seller: [
    "booked",
    "paid",
    "turn",
    "order",
    "released",
    "verified",
    "match",
    "price",
    "available",
    "sold",
    "decision",
  ],
  buyer: ["turn", "order", "released", "match", "price", "available", "sold", "decision"],
  admin: ["report", "order", "match", "price", "available", "sold", "decision"],
};

export const kindsOf = (role: Role, isModerator: boolean) =>
  KINDS[role].filter((kind) => !isModerator || kind !== "order");
