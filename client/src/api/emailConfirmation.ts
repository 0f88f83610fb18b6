import { useState } from "react";
import * as t from "@/texts/emailConfirmation";
import { api } from "./api";
import { toApiError } from "./errors";
import { useMe } from "./me";

const emailConfirmation = api.injectEndpoints({
  endpoints: (build) => ({
    /** Sends the signed-in user another link to confirm their email address. */
    sendVerification: build.mutation<null, void>({
      query: () => ({ url: "/identity/verify/send", method: "POST" }),
    }),
  }),
});

const { useSendVerificationMutation } = emailConfirmation;

/** The error code of calls that need a confirmed email address. */
export const VERIFY_EMAIL = "verify_email";

/** Sends the link again; the result is what ActionButton takes. */
export function useSendConfirmation() {
  const me = useMe();
  const [send, { isLoading }] = useSendVerificationMutation();
  const [result, setResult] = useState<{ message: string; isError: boolean } | null>(null);
  const onPress = async () => {
    setResult(null);
    const { error } = await send();
    const message = error ? toApiError(error).message : t.sent(me?.email ?? "");
    setResult({ message, isError: error !== undefined });
  };
  return { onPress: () => void onPress(), busy: isLoading, result };
}
