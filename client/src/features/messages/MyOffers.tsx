import { useMemo } from "react";
import { Link } from "react-router-dom";
import { useMe } from "@/api/me";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/messages";
import { Thumbnail } from "@/ui";
import { isOpen, offers } from "./endpoints";
import { OfferState } from "./OfferState";

const NONE = {};

/** The section of My Orders with the buyer's offers that wait for an answer; live. An accepted one is an order. */
export function MyOffers() {
  const email = useMe()?.email;
  const { list } = useList(
    offers,
    useMemo(() => (email ? { email, filter: NONE } : null), [email]),
  );
  const waiting = rowsOf(list).filter((offer) => offer.role === "buyer" && isOpen(offer));
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="offers-title" className="grid gap-3">
      <h3 id="offers-title" className="font-bold text-xl">
        {t.myOffers}
      </h3>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {waiting.map((offer) => (
          <li key={offer._id}>
            <Link
              to={`/dashboard/messages/${offer.threadID}`}
              className="flex items-center gap-3 p-3 hover:bg-sunk"
            >
              <Thumbnail product={offer} />
              <span className="grid min-w-0 flex-1">
                <span className="truncate font-semibold">{offer.productName}</span>
                <span className="flex flex-wrap items-baseline gap-x-3 text-sm">
                  <OfferState offer={offer} className="tabular-nums" />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
