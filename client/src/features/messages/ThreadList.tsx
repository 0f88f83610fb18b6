import { NavLink } from "react-router-dom";
import type { Thread } from "@/api/types";
import { timeOrDay } from "@/texts/dates";
import * as t from "@/texts/messages";
import { Badge, Countdown, cx, Thumbnail, useNow } from "@/ui";
import { VerifiedIcon } from "@/ui/icons";
import { Actions } from "./OfferCard";

interface Props {
  threads: readonly Thread[];
  label: string;
  /** The threads of one phone: each shows its offer with what can be done. */
  hasOffers?: boolean;
}

/** Conversations, those with the newest messages first. */
export function ThreadList({ threads, label, hasOffers = false }: Props) {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card"
    >
      {threads.map((thread) => (
        <li key={thread._id}>
          <Row thread={thread} />
          {hasOffers && thread.offer && (
            <div className="grid gap-2 px-3 pb-3">
              <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                <span className="font-bold tabular-nums">
                  {(thread.offer.by === "buyer" ? t.offered : t.asks)(
                    thread.offer.price,
                    thread.offer.listPrice,
                  )}
                </span>
                <Badge>{t.status[thread.offer.status]}</Badge>
                {isOpen(thread) && <Countdown until={thread.offer.expiresAt} />}
              </p>
              {isOpen(thread) && <Actions offer={thread.offer} />}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

const isOpen = ({ offer }: Thread) => offer?.status === "open" || offer?.status === "countered";

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
