import { useEffect, useRef } from "react";
import { useSelector } from "react-redux";
import { useLocation } from "react-router-dom";
import { selectEndReason } from "@/api/sessionSlice";
import { ConnectionBanner } from "@/app/live/ConnectionBanner";
import { TurnBanner } from "@/features/booking/TurnBanner";
import { useToast } from "@/ui";

/** Messages over every screen: the state of the live connection, a buyer's turn, and why a session ended. */
export default function StatusOverlays() {
  return (
    <>
      <ConnectionBanner />
      <TurnBanner />
      <SessionEndToast />
    </>
  );
}

/** A toast that says why the session ended, on screens that visitors may see; the others lead to the login, which says so. */
function SessionEndToast() {
  const endReason = useSelector(selectEndReason);
  const toast = useToast();
  const { pathname } = useLocation();
  const stays = useRef(true);
  stays.current = !/^\/(category|dashboard|login|reset)\b/.test(pathname);
  useEffect(() => {
    if (endReason && stays.current) toast(endReason, "error");
  }, [endReason, toast]);
  return null;
}
