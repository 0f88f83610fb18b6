import { useState } from "react";
import { useIsLinkGoneQuery } from "./recovery";
import { useLinkToken } from "./useLinkToken";

/**
 * The token of a link that opens a form; null if the link can't be used. The server is asked once the screen opens, so
 * that nobody fills in a form in vain. If it can't be asked, the form opens: it asks again when it is sent.
 */
export function useGoneLink(url: "/identity/reset" | "/identity/first-admin") {
  const token = useLinkToken();
  const [goneToken, setGoneToken] = useState<string>();
  const { data: isGone, isLoading } = useIsLinkGoneQuery(
    { url, token: token ?? "" },
    { skip: token === null },
  );
  return {
    token: isGone || token === goneToken ? null : token,
    isLoading,
    onGone: () => setGoneToken(token ?? undefined),
  };
}
