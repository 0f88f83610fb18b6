import { updateAfterWrite } from "@/api/afterWrite";
import { api } from "@/api/api";
import { liveList, type PageArg } from "@/api/liveList";
import { ofKind } from "@/api/refetchLists";
import type { Modified, Notification } from "@/api/types";

const notificationsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The signed-in person's notifications; live. */
    notifications: build.query(liveList<Notification, PageArg>("notifications", () => "/notifications")),
    /** Marks the notification with this _id, and all before it, as read. */
    markRead: build.mutation<Modified, string>({
      query: (upTo) => ({ url: "/notifications/read", method: "PUT", body: { upTo } }),
      onQueryStarted: updateAfterWrite((id) => ({ lists: ofKind("notifications"), id })),
    }),
  }),
});

export const { notifications } = notificationsApi.endpoints;
export const { useMarkReadMutation } = notificationsApi;

/** The list's argument: one object for all renders, as it is the list's key in the cache. */
export const ALL = {};
