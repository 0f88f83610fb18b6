import { useMemo } from "react";
import { Link } from "react-router-dom";
import type { Offer } from "@/api/types";
import { useAllPages } from "@/api/useAllPages";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/dashboard";
import { dollars } from "@/texts/money";
import { buttonClass, Countdown, Thumbnail, TodoText, titleLinkClass } from "@/ui";
import { isOpen, offers } from "./endpoints";

const waits = (offer: Offer) => isOpen(offer) && offer.by !== offer.role;
const byDeadline = (a: Offer, b: Offer) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt);

/** A person's offers for their dashboard: those that wait for their answer, the most urgent first; live. */
export function useOfferTasks(email: string) {
  const view = useAllPages(
    useList(
      offers,
      useMemo(() => ({ email }), [email]),
    ),
  );
  const todo = rowsOf(view.list).filter(waits).sort(byDeadline);
  return { view, todo, row: (offer: Offer) => <OfferTask offer={offer} /> };
}

/** The price that the other side names, and until when it can be answered. */
function OfferTask({ offer }: { offer: Offer }) {
  const { productName, price, listPrice, role, expiresAt } = offer;
  const path = `/dashboard/messages/${offer.threadID}`;
  const title = role === "seller" ? t.answerOffer : t.answerPrice;
  return (
    <>
      <Thumbnail product={offer} />
      <TodoText
        title={
          <Link className={titleLinkClass} to={path}>
            {title(dollars(price), productName)}
          </Link>
        }
      >
        {waits(offer) ? (
          <>
            <span>{t.listedAt(dollars(listPrice))}</span>
            <Countdown until={expiresAt} />
          </>
        ) : (
          t.offerAnswered
        )}
      </TodoText>
      <Link
        to={path}
        title={t.seeMessagesAbout(productName)}
        className={buttonClass({ size: "sm", variant: waits(offer) ? "primary" : "secondary" })}
      >
        {waits(offer) ? t.answer : t.seeMessages}
      </Link>
    </>
  );
}
