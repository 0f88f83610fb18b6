import { useState } from "react";
import { Link } from "react-router-dom";
import type { Product } from "@/api/types";
import * as t from "@/texts/booking";
import { money } from "@/texts/language";
import { Button, buttonClass, Picture, Skeleton } from "@/ui";
import { useSimilarPhonesQuery } from "./endpoints";
import { COUNT } from "./similar";
import type { BlockReason as Kind } from "./useBooking";

interface Props {
  is: Kind | null;
  of: Product;
  /** What the server said, of a limit. */
  message: string | undefined;
  onChoose: (other: Product) => void;
}

/** Says why this phone cannot be booked, and what to do next. Renders an empty live region if it can be booked. */
export function BookingBlocked({ is, of, message, onChoose }: Props) {
  const words = is === "limit" ? message : is && { taken: t.taken, gone: t.removed }[is];
  return (
    <div className="grid content-start gap-4">
      <p
        role="status"
        className={words ? "rounded-md bg-accent-soft px-4 py-2 font-semibold text-accent" : "sr-only"}
      >
        {words}
        {words && <span className="block font-normal text-sm"> {t.detailsKept}</span>}
      </p>
      {is === "limit" && (
        <Link to="/dashboard/myOrders" className={buttonClass({ variant: "secondary" })}>
          {t.toOrders}
        </Link>
      )}
      {(is === "taken" || is === "gone") && <Similar key={of._id} of={of} onChoose={onChoose} />}
    </div>
  );
}

const ROW = "grid grid-cols-3 gap-2 sm:gap-3";

/** Free phones like the lost one; looked up once, so that they stay the same when it changes again. */
function Similar({ of, onChoose }: Pick<Props, "of" | "onChoose">) {
  const [lost] = useState(of);
  const { currentData, isError, isFetching, refetch } = useSimilarPhonesQuery(lost, {
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
      {isError && !isFetching && <Failed onRetry={() => void refetch()} />}
      {isFetching && <SimilarSkeletons />}
      {phones?.length === 0 && <p className="text-muted">{t.noneSimilar}</p>}
      {phones && phones.length > 0 && (
        <ul className={ROW}>
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
        <span className="font-extrabold tabular-nums">{money(resalePrice)}</span>
        <span className="truncate text-muted text-xs">{productCondition}</span>
      </span>
    </button>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
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
    <div role="status" className={ROW}>
      <span className="sr-only">{t.searching}</span>
      {Array.from({ length: COUNT }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes have nothing but their place
        <div key={place} className="overflow-hidden rounded-md border border-line">
          <Skeleton className="aspect-4/3 rounded-none" />
          <div className="h-24" />
        </div>
      ))}
    </div>
  );
}
