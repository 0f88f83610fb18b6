import { api } from "@/api/api";
import type { DeleteAccountBody, PersonData } from "@/api/types";

const account = api.injectEndpoints({
  endpoints: (build) => ({
    /** All data that is stored about the signed-in user. */
    myData: build.query<PersonData, void>({ query: () => "/identity/data", keepUnusedDataFor: 0 }),
    /** Deletes the signed-in user's account. */
    deleteAccount: build.mutation<null, DeleteAccountBody>({
      query: (body) => ({ url: "/identity/leave", method: "POST", body }),
    }),
  }),
});

export const { useMyDataQuery, useDeleteAccountMutation } = account;
