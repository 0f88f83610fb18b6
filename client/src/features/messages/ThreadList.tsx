import { NavLink } from "react-router-dom";
import type { Offer, Thread } from "@/api/types";
import { timeOrDay } from "@/texts/dates";
import * as t from "@/texts/messages";
import { cx, Thumbnail, useNow } from "@/ui";
import { VerifiedIcon } from "@/ui/icons";
import { isOpen } from "./endpoints";
import { Actions } from "./OfferCard";
import { OfferState } from "./OfferState";

interface Props {
  threads: readonly Thread[];
  label: string;
  /** Of the threads of one phone: their offers as they are now, by _id. Each is shown with what can be done. */
  offers?: Record<string, Offer>;
}

/** Conversations, those with the newest messages first. */
export function ThreadList({ threads, label, offers }: Props) {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card"
    >
      {threads.map((thread) => (
        <li key={thread._id}>
          <Row thread={thread} />
          {offers && thread.offer && <OfferRow offer={offers[thread.offer._id] ?? thread.offer} />}
        </li>
      ))}
    </ul>
  );
}

function OfferRow({ offer }: { offer: Offer }) {
  return (
    <div className="grid gap-2 px-3 pb-3">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <OfferState offer={offer} className="font-bold tabular-nums" />
      </p>
      {isOpen(offer) && <Actions offer={offer} />}
    </div>
  );
}

function Row({ thread }: { thread: Thread }) {
  const { product, last, unread } = thread;
  const now = useNow(last.at);
  const state = product.removed ? t.removed : product.sold ? t.sold : "";
  return (
    <NavLink
      to={`/dashboard/messages/${thread._id}`}
      className={({ isActive }) =>
        cx("flex items-center gap-3 p-3 transition-colors hover:bg-sunk", isActive && "bg-brand-soft")
      }
    >
      <Thumbnail product={product} />
      <span className="grid min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={cx("truncate", unread > 0 ? "font-extrabold" : "font-semibold")}>
            {thread.with.name}
          </span>
          {thread.with.verified && <VerifiedIcon className="size-4 shrink-0 self-center text-brand" />}
          <time dateTime={last.at} className="ms-auto shrink-0 text-muted text-xs tabular-nums">
            {timeOrDay(last.at, now)}
          </time>
        </span>
        <span className="truncate text-muted text-sm">
          {state ? `${product.name} · ${state}` : product.name}
        </span>
        <span className="flex items-center gap-2">
          <span className={cx("min-w-0 flex-1 truncate text-sm", unread > 0 && "font-semibold")}>
            {last.mine ? t.you(last.text) : last.text}
          </span>
          {unread > 0 && (
            <span className="min-w-5 shrink-0 rounded-full bg-brand px-1.5 text-center font-bold text-on-brand text-xs tabular-nums">
              <span aria-hidden="true">{unread}</span>
              <span className="sr-only">{t.unread(unread)}</span>
            </span>
          )}
        </span>
      </span>
    </NavLink>
  );
}
