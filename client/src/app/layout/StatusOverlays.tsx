import { useEffect, useRef } from "react";
import { useSelector } from "react-redux";
import { useLocation } from "react-router-dom";
import { useRole } from "@/api/role";
import { selectEndReason } from "@/api/sessionSlice";
import { useWatching } from "@/api/watching";
import { ConnectionBanner } from "@/app/live/ConnectionBanner";
import { TurnBanner } from "@/features/booking/TurnBanner";
import { steadyNow } from "@/lib/serverTime";
import { useEndToasts, useToast } from "@/ui";

/**
 * The parts of every screen that are not visible at first: messages about the live connection, a buyer's turn and the end
 * of a session. It also loads the data that all screens of a signed-in user share.
 */
export default function StatusOverlays() {
  const { pathname } = useLocation();
  return (
    <>
      <ConnectionBanner />
      <TurnBanner />
      <SessionEndToast />
      <EndToasts path={pathname} />
      <WatchedPhones />
      {/* A role is looked up by the email address, which a link to /verify may change. */}
      {pathname !== "/verify" && <SignedInRole />}
    </>
  );
}

/** What may lead the person to another screen. */
const PRESSES = ["click", "keydown", "popstate"];

/**
 * Ends the toasts of a screen that the person leaves: the path changes after a press. If nothing was pressed since a toast
 * was shown, its own action leads to the next screen, and it stays its time.
 */
function EndToasts({ path }: { path: string }) {
  const endToasts = useEndToasts();
  const pressedAt = useRef(0);
  useEffect(() => {
    const onPress = () => {
      pressedAt.current = steadyNow();
    };
    for (const event of PRESSES) addEventListener(event, onPress, true);
    return () => {
      for (const event of PRESSES) removeEventListener(event, onPress, true);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each change of the path
  useEffect(() => endToasts(pressedAt.current), [path, endToasts]);
  return null;
}

/** Loads the phones that the signed-in user watches, for the hearts of all screens. */
function WatchedPhones() {
  useWatching();
  return null;
}

/** Loads the role of the signed-in user, on which TurnBanner depends. */
function SignedInRole() {
  useRole();
  return null;
}

/**
 * Whether the screen at this path says that the session has ended, so that no toast is needed. The screens of RequireUser
 * (see Screens.tsx) redirect to the login, which gives the reason, and so does /reset after a new password.
 */
const tellsSessionEnd = (pathname: string) => /^\/(category|dashboard|login|reset)\b/.test(pathname);

/** A toast that says why the session ended, on screens that visitors may see; the others lead to the login, which says so. */
function SessionEndToast() {
  const endReason = useSelector(selectEndReason);
  const toast = useToast();
  const { pathname } = useLocation();
  const needsToast = useRef(true);
  needsToast.current = !tellsSessionEnd(pathname);
  useEffect(() => {
    if (endReason && needsToast.current) toast(endReason, "error");
  }, [endReason, toast]);
  return null;
}
