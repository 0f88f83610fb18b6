import { useState } from "react";
import { keepsCookies } from "@/lib/keepsCookies";
import { cookiesBlocked } from "@/texts/auth";

/** For a form that begins a session: it is not sent while the browser blocks cookies, so that nothing is made in vain. */
export function useCookieCheck() {
  const [isBlocked, setBlocked] = useState(() => !keepsCookies());
  return {
    /** What to show as the form's error; null if cookies are kept. */
    cookieFailure: isBlocked ? cookiesBlocked : null,
    /** Checks again, because the person may have changed the browser's settings. Returns whether the form may be sent. */
    mayBeginSession: () => {
      const isKept = keepsCookies();
      setBlocked(!isKept);
      return isKept;
    },
  };
}
