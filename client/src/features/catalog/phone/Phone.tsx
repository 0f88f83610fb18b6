import { Link, useLocation } from "react-router-dom";
import { useOwnBooking, useOwnBookings } from "@/api/bookings";
import { useConfigQuery } from "@/api/config";
import { useIsOwnPhone } from "@/api/me";
import { useKnownRole, useMayBook } from "@/api/role";
import type { Product } from "@/api/types";
import { useOwnWait, useOwnWaits } from "@/api/waitlist";
import { dollars } from "@/texts/money";
import * as t from "@/texts/phone";
import * as promise from "@/texts/promise";
import { goesToFirst, youAreInLine, youAreNext } from "@/texts/waitlist";
import { Button, EmptyState, ErrorState, LiveDot, useTitle } from "@/ui";
import type { Elements } from "@/ui/Elements";
import { CatalogBreadcrumbs } from "../CatalogBreadcrumbs";
import { AskLinks } from "../cards/AskLinks";
import { BookingControl } from "../cards/BookingControl";
import { UnavailableMark } from "../cards/UnavailableMark";
import { useCardActions } from "../cards/useCardActions";
import { WatchButton } from "../cards/WatchButton";
import { NotFoundLinks } from "../NotFoundLinks";
import { BookBar } from "./BookBar";
import { Gallery } from "./Gallery";
import { MoreOfBrand } from "./MoreOfBrand";
import { PhoneFacts, PhonePrice, SellerCard } from "./PhoneFacts";
import { PhoneSkeleton } from "./PhoneSkeleton";
import { ShareButton } from "./ShareButton";
import { usePhone } from "./usePhone";

interface Props {
  id: string;
  /** Further actions on a phone that is not sold, below its facts. */
  tools?: (product: Product) => Elements;
}

/**
 * /phone/{id}: one phone with all there is to know of it. Visitors see it without the seller's contact
 * data. Changes are shown live; the dialogs that its buttons open are mounted by the route.
 */
export default function Phone({ id, tools }: Props) {
  const { product, removed, signedIn, failure, isFetching, retry } = usePhone(id);
  useOwnBookings();
  useOwnWaits();
  const isMissing = !product && failure?.status === 404;
  useTitle(titleOf(product, isMissing));

  const brand = product && { id: product.id, name: product.brand };
  return (
    <div className="screen-width grid gap-3 pt-3 pb-12">
      <CatalogBreadcrumbs brand={brand} current={product?.name ?? (isMissing ? t.title : undefined)} />
      {product && <PhoneDetails product={product} removed={removed} signedIn={signedIn} tools={tools} />}
      {!product && !failure && <PhoneSkeleton onRetry={retry} />}
      {isMissing && (
        <EmptyState title={t.noLongerForSale}>
          <NotFoundLinks />
        </EmptyState>
      )}
      {!product && failure && failure.status !== 404 && (
        <ErrorState message={t.failed(failure.message)} onRetry={retry} busy={isFetching} />
      )}
    </div>
  );
}

function titleOf(product: Product | undefined, isMissing: boolean): string | undefined {
  if (product) return t.titleOf(product.name, dollars(product.resalePrice));
  return isMissing ? t.noLongerForSale : undefined;
}

interface ShownProps {
  product: Product;
  removed: boolean;
  signedIn: boolean;
}

function PhoneDetails({ product, removed, signedIn, tools }: ShownProps & Pick<Props, "tools">) {
  const { pathname } = useLocation();
  return (
    <div className="grid gap-part">
      <article
        aria-labelledby={`phone-${product._id}`}
        className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]"
      >
        <Gallery
          photos={product.photos}
          name={product.name}
          mark={<UnavailableMark product={product} removed={removed} />}
        />
        <div className="grid gap-5 lg:row-span-2">
          <PhoneHeader product={product} removed={removed} />
          <PhonePrice product={product} />
          <Actions product={product} removed={removed} signedIn={signedIn} />
          <PhoneFacts product={product} />
          <SellerCard
            product={product}
            instead={
              <p>
                <Link
                  to="/login"
                  state={{ from: pathname }}
                  className="font-semibold text-brand underline underline-offset-4"
                >
                  {t.loginForContact}
                </Link>
              </p>
            }
          />
          {!removed && !product.sold && tools?.(product)}
        </div>
        <section aria-labelledby="description-title" className="grid gap-3">
          <h2 id="description-title" className="font-bold text-xl">
            {t.description}
          </h2>
          <p className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">{product.description}</p>
        </section>
      </article>
      {signedIn && <MoreOfBrand of={product} />}
    </div>
  );
}

/** The brand, the name, and the buttons to watch and to share the phone. */
function PhoneHeader({ product, removed }: Pick<ShownProps, "product" | "removed">) {
  return (
    <header className="grid gap-1">
      <p className="flex min-h-11 items-center justify-between gap-3">
        <Link
          to={`/category/${product.id}`}
          className="inline-flex min-h-9 items-center font-semibold text-accent text-lg underline-offset-4 hover:underline"
        >
          {product.brand}
        </Link>
        <span className="flex items-center gap-1">
          {!removed && <WatchButton product={product} />}
          <ShareButton title={product.name} />
        </span>
      </p>
      <h1 id={`phone-${product._id}`} className="font-extrabold text-3xl [overflow-wrap:anywhere]">
        {product.name}
      </h1>
    </header>
  );
}

/** The same actions as on its card. Visitors are led to the login, which returns here. */
function Actions({ product, removed, signedIn }: ShownProps) {
  const { onBookOrWait, onReport } = useCardActions(signedIn);
  const isOwn = useIsOwnPhone(product);
  const isAdmin = useKnownRole() === "admin";
  const mayReport = !isOwn && !isAdmin;
  return (
    <div className="grid gap-y-2.5 sm:gap-y-3">
      <BookBar product={product}>
        <BookingControl product={product} removed={removed} onBookOrWait={onBookOrWait} />
      </BookBar>
      <p className="flex min-h-13 items-start gap-2.5 text-muted text-sm">
        <Availability product={product} removed={removed} signedIn={signedIn} />
      </p>
      {!removed && <AskLinks product={product} />}
      {mayReport && (
        <Button
          variant="quiet"
          size="sm"
          className="-ms-3.5 justify-self-start underline underline-offset-4"
          onClick={() => onReport(product)}
          disabled={removed}
          aria-describedby={`phone-${product._id}`}
        >
          {t.report}
        </Button>
      )}
    </div>
  );
}

/** What can be done with the phone, and what that means. It always takes two lines, so that the layout does not shift. */
function Availability({ product, removed, signedIn }: ShownProps): Elements {
  const own = useOwnBooking(product._id);
  const wait = useOwnWait(product._id);
  const isOwn = useIsOwnPhone(product);
  const mayBook = useMayBook();
  const { data: promises } = useConfigQuery();
  if (removed) return <span>{t.removedWhileOpen}</span>;
  if (own?.status === "held") return <span>{promises && promise.toKeep(promises)}</span>;
  if (own?.status === "paid")
    return (
      <Link to="/dashboard/myOrders" className="text-brand underline">
        {t.yoursPaid}
      </Link>
    );
  if (product.sold) return <span>{t.sold}</span>;
  const { waiting = 0 } = product;
  if (product.booked && wait) {
    const { position } = wait;
    return <span>{position === 1 ? youAreNext : youAreInLine(position, Math.max(waiting, position))}</span>;
  }
  if (product.booked) return <span>{waiting > 0 ? goesToFirst(waiting) : t.held}</span>;
  const words = () => {
    if (isOwn) return t.availableOwn;
    return signedIn && !mayBook ? t.availableNotToAdmins : promises && promise.toBook(promises);
  };
  return (
    <>
      <LiveDot className="mt-2 text-ok" />
      <span>{words()}</span>
    </>
  );
}
