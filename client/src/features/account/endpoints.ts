import { api } from "@/api/api";
import type { LeaveBody, PersonData } from "@/api/types";

const account = api.injectEndpoints({
  endpoints: (build) => ({
    /** Everything that is kept on who is signed in. */
    myData: build.query<PersonData, void>({ query: () => "/identity/data", keepUnusedDataFor: 0 }),
    /** Deletes the signed-in person's account. */
    leave: build.mutation<null, LeaveBody>({
      query: (body) => ({ url: "/identity/leave", method: "POST", body }),
    }),
  }),
});

export const { useMyDataQuery, useLeaveMutation } = account;
