import { api } from "@/api/api";
import type { NewSecondFactor } from "@/api/types";

const secondFactor = api.injectEndpoints({
  endpoints: (build) => ({
    /** Creates the secret for an authenticator app; it takes effect after it is confirmed. */
    startSecondFactor: build.mutation<NewSecondFactor, { password?: string }>({
      query: (body) => ({ url: "/identity/second-factor/start", method: "POST", body }),
    }),
    /** Switches the second factor on with a code of the app, and signs all other browsers out. */
    confirmSecondFactor: build.mutation<{ recoveryCodes: string[] }, { code: string }>({
      query: (body) => ({ url: "/identity/second-factor/confirm", method: "POST", body }),
      invalidatesTags: ["Sessions"],
    }),
    /** Switches the second factor off. */
    stopSecondFactor: build.mutation<null, { password?: string }>({
      query: (body) => ({ url: "/identity/second-factor/stop", method: "POST", body }),
    }),
  }),
});

export const { useStartSecondFactorMutation, useConfirmSecondFactorMutation, useStopSecondFactorMutation } =
  secondFactor;
