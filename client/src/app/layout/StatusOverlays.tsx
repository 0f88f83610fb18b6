import { useEffect, useRef } from "react";
import { useSelector } from "react-redux";
import { useLocation } from "react-router-dom";
import { useRole } from "@/api/role";
import { selectEndReason } from "@/api/sessionSlice";
import { useWatching } from "@/api/watching";
import { ConnectionBanner } from "@/app/live/ConnectionBanner";
import { tellsSessionEnd } from "@/app/sessionEnd";
import { TurnBanner } from "@/features/booking/TurnBanner";
import { useToast } from "@/ui";

/**
 * What every screen has and shows later: messages about the live connection, a buyer's turn and the end of a session, and
 * the data that all screens of a signed-in user share.
 */
export default function StatusOverlays() {
  return (
    <>
      <ConnectionBanner />
      <TurnBanner />
      <SessionEndToast />
      <SignedInData />
    </>
  );
}

/** Loads the role of the signed-in user, on which TurnBanner depends, and the phones that they watch, for all hearts. */
function SignedInData() {
  useRole();
  useWatching();
  return null;
}

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
