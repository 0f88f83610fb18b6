import { useEffect, useRef } from "react";
import { useSelector } from "react-redux";
import { useLocation } from "react-router-dom";
import { selectFarewell } from "@/api/session";
import { LiveSign } from "@/app/live/LiveSign";
import { useToast } from "@/ui";

/** What lies over every screen and is seldom seen: how the live line stands, and why a session ended. */
export default function Signs() {
  return (
    <>
      <LiveSign />
      <Farewell />
    </>
  );
}

/** Says why the session has ended on a screen that stays; the others lead to the login, which says so. */
function Farewell() {
  const farewell = useSelector(selectFarewell);
  const toast = useToast();
  const { pathname } = useLocation();
  const stays = useRef(true);
  stays.current = !/^\/(category|dashboard|login)\b/.test(pathname);
  useEffect(() => {
    if (farewell && stays.current) toast(farewell, "error");
  }, [farewell, toast]);
  return null;
}
