import { useState } from "react";
import { Link } from "react-router-dom";
import { useOwnBooking } from "@/api/bookings";
import { useSendConfirmation } from "@/api/emailConfirmation";
import type { Product } from "@/api/types";
import * as t from "@/texts/booking";
import { sendAgain } from "@/texts/emailConfirmation";
import { dollars } from "@/texts/money";
import * as w from "@/texts/waitlist";
import { ActionButton, Button, buttonClass, Picture, Skeleton } from "@/ui";
import { useSimilarPhonesQuery } from "./endpoints";
import { MAX_SIMILAR } from "./similar";
import type { BlockReason } from "./useBooking";
import type { WaitBlockReason } from "./useWaiting";

interface Props {
  reason: BlockReason | WaitBlockReason | null;
  of: Product;
  /** The server's message about a limit or the email. */
  message: string | undefined;
  onChoose: (other: Product) => void;
}

/** The reasons for which another phone is the next step. */
export const UNAVAILABLE = new Set<Props["reason"]>(["booked", "removed", "sold", "full"]);

/**
 * Shows why this phone can't be booked or waited for, and what to do next. Renders an empty live region if nothing
 * prevents it.
 */
export function BookingBlocked({ reason, of, message, onChoose }: Props) {
  const own = useOwnBooking(of._id);
  const texts = {
    booked: t.taken,
    removed: t.removed,
    sold: w.sold,
    free: w.available,
    held: t.yours,
    paid: t.yoursPaid,
  };
  const text = reason && ((texts as Partial<Record<string, string>>)[reason] ?? message);
  return (
    <div className="grid content-start gap-4">
      <p
        role="status"
        className={text ? "rounded-md bg-accent-soft px-4 py-2 font-semibold text-accent" : "sr-only"}
      >
        <span>{text}</span>
        {text && (
          <span className="block font-normal text-sm">
            {" "}
            {reason === "booked" && !of.sold && <span>{w.orWait((of.waiting ?? 0) + 1)}</span>}{" "}
            {reason !== "held" && reason !== "paid" && <span>{t.detailsKept}</span>}
          </span>
        )}
      </p>
      {reason === "held" && own && (
        <Link to={`/dashboard/payment/${own._id}`} className={buttonClass()}>
          {t.payNow}
        </Link>
      )}
      {(reason === "limit" || reason === "paid" || (reason === "held" && !own)) && (
        <Link to="/dashboard/myOrders" className={buttonClass({ variant: "secondary" })}>
          {t.toOrders}
        </Link>
      )}
      {reason === "email" && <SendConfirmation />}
      {UNAVAILABLE.has(reason) && <SimilarPhones key={of._id} of={of} onChoose={onChoose} />}
    </div>
  );
}

export function SendConfirmation() {
  return <ActionButton {...useSendConfirmation()}>{sendAgain}</ActionButton>;
}

const GRID = "grid grid-cols-3 gap-2 sm:gap-3";

/** Available phones that are similar; searched once, so that they stay the same when the phone changes again. */
function SimilarPhones({ of, onChoose }: Pick<Props, "of" | "onChoose">) {
  const [original] = useState(of);
  const { currentData, isError, isFetching, refetch } = useSimilarPhonesQuery(original, {
    refetchOnMountOrArgChange: true,
  });
  const phones = isFetching ? undefined : currentData;
  return (
    <section aria-label={t.similar} className="grid gap-2">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h3 className="font-bold">{t.similar}</h3>
        <Link
          to={`/category/${of.id}`}
          className="inline-flex min-h-9 items-center font-semibold text-brand text-sm underline-offset-4 hover:underline"
        >
          {t.allPhonesOf(of.brand)}
        </Link>
      </div>
      {isError && !isFetching && <SimilarError onRetry={() => void refetch()} />}
      {isFetching && <SimilarSkeletons />}
      {phones?.length === 0 && <p className="text-muted">{t.noneSimilar}</p>}
      {phones && phones.length > 0 && (
        <ul className={GRID}>
          {phones.map((phone) => (
            <li key={phone._id} className="min-w-0">
              <SimilarPhone phone={phone} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SimilarPhone({ phone, onChoose }: { phone: Product; onChoose: (other: Product) => void }) {
  const { name, resalePrice, productCondition } = phone;
  return (
    <button
      type="button"
      aria-label={t.bookInstead(name, resalePrice, productCondition)}
      onClick={() => onChoose(phone)}
      className="group grid h-full w-full content-start overflow-hidden rounded-md border border-line bg-surface text-start transition-colors hover:border-brand"
    >
      <Picture
        src={phone.img}
        photo={phone.photos[0]}
        sizes="10rem"
        alt=""
        eager
        ratio="landscape"
        className="p-1.5"
      />
      <span className="grid p-2">
        <span className="line-clamp-2 min-h-9 font-semibold text-xs [overflow-wrap:anywhere]">{name}</span>
        <span className="font-extrabold tabular-nums">{dollars(resalePrice)}</span>
        <span className="truncate text-muted text-xs">{productCondition}</span>
      </span>
    </button>
  );
}

function SimilarError({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <p className="text-danger">{t.similarFailed}</p>
      <Button size="sm" variant="secondary" onClick={onRetry}>
        {t.tryAgain}
      </Button>
    </div>
  );
}

function SimilarSkeletons() {
  return (
    <div role="status" className={GRID}>
      <span className="sr-only">{t.searching}</span>
      {Array.from({ length: MAX_SIMILAR }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
        <div key={index} className="overflow-hidden rounded-md border border-line">
          <Skeleton className="aspect-4/3 rounded-none" />
          <div className="h-24" />
        </div>
      ))}
    </div>
  );
}
