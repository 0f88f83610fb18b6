import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { useOwnBookings } from "@/api/bookings";
import { dismissedTurn } from "@/api/tabStorage";
import type { Booking } from "@/api/types";
import { rowsOf } from "@/api/useList";
import { accepted } from "@/texts/acceptedOffer";
import * as t from "@/texts/waitlist";
import { buttonClass, Countdown, IconButton, Notice, useAnnounce } from "@/ui";
import { CloseIcon } from "@/ui/icons";

/** A notice over every screen of the buyer whose turn it is, or whose offer was accepted, until the order is paid or has ended. */
export function TurnBanner() {
  const { list } = useOwnBookings();
  const { pathname } = useLocation();
  const [dismissed, setDismissed] = useState(() => dismissedTurn.read());
  const turns = rowsOf(list).filter(
    ({ turn, listPrice, status, _id }) => (turn || listPrice) && status === "held" && _id !== dismissed,
  );
  const [first] = turns.sort((a, b) => Date.parse(a.holdUntil) - Date.parse(b.holdUntil));
  if (!first || pathname === pathOf(first)) return null;
  const dismiss = () => {
    dismissedTurn.write(first._id);
    setDismissed(first._id);
  };
  return <Turn key={first._id} booking={first} onDismiss={dismiss} />;
}

const pathOf = ({ _id }: Booking) => `/dashboard/payment/${_id}`;

function Turn({ booking, onDismiss }: { booking: Booking; onDismiss: () => void }) {
  const { productName, holdUntil } = booking;
  const text = t.bookedUntil(productName, holdUntil);
  const title = booking.listPrice ? accepted : t.turn;
  const announce = useAnnounce();
  useEffect(() => announce(`${title}: ${text}`), [announce, title, text]);
  return (
    <Notice kind="turn">
      <section
        aria-label={title}
        className="pointer-events-auto mb-2 flex animate-toast items-center gap-3 rounded-lg bg-deep py-3 ps-4 pe-2 text-on-deep shadow-lift [@media(max-height:30rem)]:py-1"
      >
        <p className="grid min-w-0 flex-1">
          <span className="font-bold text-lg">{title}</span>
          <span className="text-sm [@media(max-height:30rem)]:sr-only [overflow-wrap:anywhere]">{text}</span>
          <Countdown until={holdUntil} className="font-semibold text-on-deep-muted text-sm" />
        </p>
        <Link
          to={pathOf(booking)}
          aria-label={t.payFor(productName)}
          className={buttonClass({ variant: "signal" })}
        >
          {t.pay}
        </Link>
        <IconButton label={t.dismiss} onClick={onDismiss} className="text-current!">
          <CloseIcon />
        </IconButton>
      </section>
    </Notice>
  );
}
