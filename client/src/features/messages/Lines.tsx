import type { Message, Offer } from "@/api/types";
import type { ListView } from "@/api/useList";
import { rowsOf } from "@/api/useList";
import { minuteOfYear } from "@/texts/dates";
import * as t from "@/texts/messages";
import { Button, cx, ErrorState, Loading, Skeleton } from "@/ui";
import { OfferCard } from "./OfferCard";
import type { Outgoing } from "./useOutgoing";

interface Props {
  view: ListView<Message>;
  /** The offers of the thread as they are now, by _id. */
  offers: Record<string, Offer>;
  /** The name of the other side. */
  name: string;
  outgoing: readonly Outgoing[];
  onRepeat: (key: string) => void;
  onEdit: (message: Outgoing) => void;
}

/** The lines of a conversation, the newest at the bottom, where the list stays while others are added. */
export function Lines({ view, offers, name, outgoing, onRepeat, onEdit }: Props) {
  const { list } = view;
  const lines = rowsOf(list).toReversed();
  const pending = outgoing.filter(({ id }) => !id || !list?.entities[id]);
  if (view.error) return <ErrorState message={view.error} onRetry={view.retry} busy={view.isFetching} />;
  return (
    // Scrolled from the bottom, so that a line at either end moves nothing.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <div className="flex h-[max(14rem,calc(100dvh-28rem))] flex-col-reverse overflow-y-auto" tabIndex={0}>
      <div className="grid min-h-full content-end gap-2 p-3">
        {!list && (
          <Loading label={t.loading} onRetry={view.retry}>
            <Skeleton className="h-12 w-2/3 rounded-lg" />
          </Loading>
        )}
        {view.hasMore && (
          <Button variant="quiet" size="sm" busy={view.isLoadingMore} onClick={view.loadMore}>
            {t.earlier}
          </Button>
        )}
        {list && !view.hasMore && <p className="rounded-md bg-sunk p-3 text-muted text-sm">{t.safety}</p>}
        <div role="log" aria-label={t.lines}>
          <ol className="grid gap-2">
            {lines.map((line) => (
              <Line
                key={line._id}
                line={line}
                offer={offers[line.offer?._id ?? ""] ?? line.offer}
                name={name}
              />
            ))}
            {pending.map((message) => (
              <Pending key={message.key} message={message} onRepeat={onRepeat} onEdit={onEdit} />
            ))}
          </ol>
        </div>
      </div>
    </div>
  );
}

const BUBBLE =
  "max-w-[85%] rounded-lg px-3.5 py-2 whitespace-pre-line [overflow-wrap:anywhere] sm:max-w-[70%]";

function Line({ line, offer, name }: { line: Message; offer: Offer | undefined; name: string }) {
  const { kind, text, mine, at } = line;
  const time = (
    <time dateTime={at} className="text-muted text-xs tabular-nums">
      {minuteOfYear(at)}
    </time>
  );
  const by = <span className="sr-only">{`${mine ? t.byYou : name}: `}</span>;
  if (kind === "note") {
    return (
      <li className="flex flex-wrap justify-center gap-x-2 text-center text-muted text-sm">
        <span>{`${mine ? t.byYou : name}: ${text}`}</span>
        {time}
      </li>
    );
  }
  return (
    <li className={cx("grid gap-0.5", mine ? "justify-items-end" : "justify-items-start")}>
      {kind === "offer" && offer && (
        <div className="w-full max-w-md">
          <OfferCard offer={offer} />
        </div>
      )}
      {text && (
        <p className={cx(BUBBLE, mine ? "bg-brand text-on-brand" : "bg-sunk")}>
          {by}
          <span>{text}</span>
        </p>
      )}
      {time}
    </li>
  );
}

function Pending({ message, onRepeat, onEdit }: { message: Outgoing } & Pick<Props, "onRepeat" | "onEdit">) {
  const { key, text, state, error } = message;
  const isFailed = state === "failed" || state === "refused";
  return (
    <li className="grid justify-items-end gap-0.5">
      <p className={cx(BUBBLE, "bg-brand text-on-brand", isFailed && "opacity-60")}>{text}</p>
      <p className="flex flex-wrap items-center justify-end gap-x-2 text-sm">
        <span className={isFailed ? "font-medium text-danger" : "text-muted text-xs"}>
          {isFailed ? `${t.notSent}. ${error ?? ""}` : t.sending}
        </span>
        {state === "failed" && (
          <Button size="sm" variant="secondary" onClick={() => onRepeat(key)}>
            {t.again}
          </Button>
        )}
        {isFailed && (
          <Button size="sm" variant="quiet" onClick={() => onEdit(message)}>
            {t.edit}
          </Button>
        )}
      </p>
    </li>
  );
}
