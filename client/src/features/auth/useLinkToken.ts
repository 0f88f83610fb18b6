import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/**
 * The token of the link in an email, which is after the # of the address; null without one. It is moved into the state
 * of the history: there it survives a reload, and the address bar does not show it.
 */
export function useLinkToken(): string | null {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const inAddress = new URLSearchParams(hash.slice(1)).get("token");
  useEffect(() => {
    if (inAddress !== null) navigate(pathname + search, { replace: true, state: { token: inAddress } });
  }, [inAddress, pathname, search, navigate]);
  const kept = (state as { token?: unknown } | null)?.token;
  return inAddress ?? (typeof kept === "string" ? kept : null);
}
