import { useBookingAddress } from "@/api/bookingAddress";
import type { Address, Booking, Role } from "@/api/types";
import * as t from "@/texts/order";
import { Button, ErrorState, Skeleton, useToast } from "@/ui";
import { addressLines, PostalAddress } from "@/ui/PostalAddress";

interface Props {
  order: Booking;
  side: Role;
}

/** How the buyer of a paid order gets the phone, and where it is sent to. */
export function Delivery({ order, side }: Props) {
  const { fulfilment, delivery } = order;
  if (!fulfilment) return null;
  return (
    <section
      aria-label={t.delivery}
      className="grid gap-2 rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5"
    >
      <h3 className="text-muted text-sm">{t.delivery}</h3>
      <p className="font-bold text-lg">{t.deliveries[delivery]}</p>
      {delivery === "send" && mayKnow(order, side) && <SentTo order={order} side={side} />}
    </section>
  );
}

/** The server tells the two sides where the phone is sent to, but not the seller of a refunded order. */
function mayKnow({ status, fulfilment, addressId }: Booking, side: Role): boolean {
  if (addressId === undefined || side === "admin") return false;
  return side === "buyer" || (status === "paid" && fulfilment?.outcome !== "refund");
}

function SentTo({ order, side }: Props) {
  const { address, isError, isFetching, refetch } = useBookingAddress(order);
  if (isError) {
    return <ErrorState message={t.addressNotLoaded} busy={isFetching} onRetry={() => void refetch()} />;
  }
  if (address === undefined) return <Skeleton className="h-25 w-60 max-w-full" />;
  if (address === null) return order.fulfilment?.state === "settled" ? <p>{t.addressDeleted}</p> : null;
  return (
    <>
      <p className="text-muted">{side === "seller" ? t.sendTo : t.sentTo}</p>
      <PostalAddress address={address} />
      {side === "seller" && <CopyAddress address={address} />}
    </>
  );
}

function CopyAddress({ address }: { address: Address }) {
  const toast = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(addressLines(address));
      toast(t.addressCopied);
    } catch {
      toast(t.addressNotCopied, "error");
    }
  };
  return (
    <Button size="sm" variant="secondary" className="justify-self-start" onClick={() => void copy()}>
      {t.copyAddress}
    </Button>
  );
}
