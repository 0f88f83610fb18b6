import { useEffect, useMemo, useState } from "react";
import { useOwnBooking, useOwnBookings } from "@/api/bookings";
import { toApiError } from "@/api/errors";
import { useLiveList } from "@/api/live";
import type { Thread } from "@/api/types";
import { rowsOf, useList } from "@/api/useList";
import * as t from "@/texts/messages";
import { Button, EmptyState, ErrorState, Spinner, useTitle } from "@/ui";
import { VerifiedIcon } from "@/ui/icons";
import { usePageVisible } from "@/ui/usePageVisible";
import { Composer } from "./Composer";
import { messages, useReadThreadMutation, useThreadQuery } from "./endpoints";
import { Lines } from "./Lines";
import { OfferForm } from "./OfferForm";
import { PhoneLine, useLivePhone } from "./PhoneLine";
import { ThreadTools, useBlock } from "./ThreadTools";
import { useOffers } from "./useOffers";
import { useOutgoing } from "./useOutgoing";

/** One conversation: the phone and the person above, the lines, and the field below; live. */
export function Conversation({ id }: { id: string }) {
  const { currentData, error, isFetching, refetch } = useThreadQuery({ id });
  useLiveList(currentData);
  const thread = currentData?.entities[id];
  useTitle(thread && t.withPerson(thread.with.name));
  if (thread) return <Loaded key={id} thread={thread} />;
  if (!error && !currentData) return <Spinner page />;
  const failure = toApiError(error);
  if (!error || failure.status === 404 || failure.status === 403) return <EmptyState title={t.notFound} />;
  return <ErrorState message={failure.message} onRetry={() => void refetch()} busy={isFetching} />;
}

function Loaded({ thread }: { thread: Thread }) {
  const { _id, product, role } = thread;
  const view = useList(
    messages,
    useMemo(() => ({ filter: { threadID: _id } }), [_id]),
  );
  const live = useLivePhone(product.removed ? "" : product._id);
  const own = useOffers(product._id);
  const { outgoing, add, repeat, remove } = useOutgoing(_id);
  const [isOffering, setOffering] = useState(false);
  const [draft, setDraft] = useState({ key: "", text: "" });
  useMarkRead(thread, rowsOf(view.list)[0]?._id);
  useOwnBookings();
  const booking = useOwnBooking(product._id);
  const isPaid = role === "buyer" ? booking?.status === "paid" : live?.buyer !== undefined && live.sold;
  const mayOffer =
    role === "buyer" && live !== undefined && live.offers && !live.sold && booking?.status !== "held";
  return (
    <section
      aria-labelledby="thread-title"
      className="grid min-w-0 rounded-lg border border-line bg-surface shadow-card"
    >
      <header className="grid gap-2 border-line border-b p-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 id="thread-title" className="flex items-center gap-2 font-bold text-lg">
            <span>{thread.with.name}</span>
            {thread.with.verified && (
              <span title={t.verified} className="text-brand">
                <VerifiedIcon className="size-5" />
                <span className="sr-only">{t.verified}</span>
              </span>
            )}
          </h3>
          <ThreadTools thread={thread} messages={rowsOf(view.list)} />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <PhoneLine phone={product} live={live} />
          {mayOffer && !isOffering && !thread.closed && !thread.blocked && (
            <Button size="sm" variant="secondary" onClick={() => setOffering(true)}>
              {t.makeOffer}
            </Button>
          )}
        </div>
        {mayOffer && isOffering && live && (
          <OfferForm product={live} onSent={() => setOffering(false)} onCancel={() => setOffering(false)} />
        )}
      </header>
      <Lines
        view={view}
        offers={own}
        name={thread.with.name}
        outgoing={outgoing}
        onRepeat={repeat}
        onEdit={({ key, text }) => {
          remove(key);
          setDraft({ key, text });
        }}
      />
      <footer className="border-line border-t p-3">
        <Writing thread={thread} isPaid={isPaid === true} draft={draft} onSend={add} />
      </footer>
    </section>
  );
}

interface WritingProps {
  thread: Thread;
  isPaid: boolean;
  /** A message that was not sent, to be edited. */
  draft: { key: string; text: string };
  onSend: (text: string, confirm: boolean) => void;
}

function Writing({ thread, isPaid, draft, onSend }: WritingProps) {
  const { block, isLoading } = useBlock(thread);
  if (thread.closed) return <p className="text-muted">{t.closed}</p>;
  if (thread.blocked && !isPaid) {
    return (
      <p className="flex flex-wrap items-center gap-3 text-muted">
        <span>{t.blockedByYou}</span>
        <Button size="sm" variant="secondary" busy={isLoading} onClick={() => void block(false)}>
          {t.unblock}
        </Button>
      </p>
    );
  }
  return <Composer key={draft.key} initialText={draft.text} isPaid={isPaid} onSend={onSend} />;
}

/** Marks the messages of the other side as read while the page is visible. */
function useMarkRead({ _id, unread }: Thread, newest: string | undefined): void {
  const [markRead] = useReadThreadMutation();
  const isVisible = usePageVisible();
  useEffect(() => {
    if (isVisible && newest && unread > 0) void markRead({ threadID: _id, upTo: newest });
  }, [_id, isVisible, newest, unread, markRead]);
}
