import { skipToken } from "@reduxjs/toolkit/query";
import { useSelector } from "react-redux";
import { updateAfterWrite } from "./afterWrite";
import { api } from "./api";
import { useLiveList } from "./live";
import { liveEntity } from "./liveEntity";
import { useMe } from "./me";
import { ofKind } from "./refetchLists";
import type { Acknowledged, Inserted, SavedSearchBody, Watching } from "./types";

/** The only argument, because each user has one entity. */
const MINE = {};

const watching = api.injectEndpoints({
  endpoints: (build) => ({
    /** The ids of the phones that the signed-in user watches; live. */
    watching: build.query(liveEntity<Watching, { id?: string }>("watching", () => "/watching")),
    /** Watches a phone, or stops watching it. */
    watch: build.mutation<Acknowledged, { phone: string; isWatched: boolean }>({
      query: ({ phone, isWatched }) => ({
        url: `/watches/${encodeURIComponent(phone)}`,
        method: isWatched ? "PUT" : "DELETE",
      }),
      onQueryStarted: updateAfterWrite(() => ({ lists: ofKind("watching") })),
    }),
    /** Saves a search; saving the same search again changes nothing. */
    saveSearch: build.mutation<Inserted, SavedSearchBody>({
      query: (body) => ({ url: "/searches", method: "POST", body }),
      onQueryStarted: updateAfterWrite(() => ({ lists: ofKind("searches") })),
    }),
  }),
});

export const { useWatchMutation, useSaveSearchMutation } = watching;

/** Loads the phones that the signed-in user watches and keeps them live, for the watch buttons of all screens. */
export function useWatching(): Watching | undefined {
  const { currentData: list } = watching.useWatchingQuery(useMe() ? MINE : skipToken);
  useLiveList(list);
  return list?.entities[list.ids[0] ?? ""];
}

const selectList = watching.endpoints.watching.select(MINE);

/** Whether the signed-in user watches the phone, as far as useWatching has loaded it. */
export function useIsWatched(phone: string): boolean {
  return useSelector((state: Parameters<typeof selectList>[0]) => {
    const list = selectList(state).data;
    return list?.entities[list.ids[0] ?? ""]?.phones.includes(phone) ?? false;
  });
}
