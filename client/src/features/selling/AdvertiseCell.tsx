import { useId } from "react";
import { errorMessage } from "@/api/errors";
import type { Product } from "@/api/types";
import * as t from "@/texts/selling";
import { Badge, Button, useToast } from "@/ui";
import { useAdvertiseMutation, useStopAdvertisingMutation } from "./endpoints";
import { useDisabledReason } from "./useDisabledReason";

/** The badge Advertised with a button that ends it, or the Advertise button. It has the same height in every state. */
export function AdvertiseCell({ product }: { product: Product }) {
  return (
    <div className="grid min-h-16 content-center justify-items-start @4xl:w-40">
      {product.advertise ? <Advertised product={product} /> : <AdvertiseButton product={product} />}
    </div>
  );
}

function Advertised({ product }: { product: Product }) {
  const [stop, { isLoading }] = useStopAdvertisingMutation();
  const toast = useToast();
  const press = async () => {
    const { error } = await stop(product._id);
    if (error) toast(errorMessage(error), "error");
    else toast(t.advertisingStopped);
  };
  return (
    <>
      <Badge tone="brand">{t.advertised}</Badge>
      {/* A booked phone is not shown on Home. */}
      {!product.booked && (
        <Button
          size="sm"
          variant="quiet"
          className="-ms-3.5"
          title={t.stopAdvertisingPhone(product.name)}
          busy={isLoading}
          onClick={() => void press()}
        >
          {t.stopAdvertising}
        </Button>
      )}
    </>
  );
}

/**
 * The Advertise button. If it is disabled, the reason is visible above the table or in the phone's status; here it is only
 * read out, and shown as a tooltip.
 */
function AdvertiseButton({ product }: { product: Product }) {
  const sellerReason = useDisabledReason();
  const [advertise, { isLoading }] = useAdvertiseMutation();
  const toast = useToast();
  const reasonId = useId();
  const reason = sellerReason ?? (product.booked ? t.bookedNotAdvertised : null);
  const press = async () => {
    const { error } = await advertise(product._id);
    if (error) toast(errorMessage(error), "error");
    else toast(t.advertiseDone);
  };
  return (
    <>
      <Button
        size="sm"
        variant="secondary"
        disabled={reason !== null}
        busy={isLoading}
        aria-describedby={reason ? reasonId : undefined}
        title={reason ?? undefined}
        onClick={() => void press()}
      >
        {t.advertise}
      </Button>
      {reason && (
        <span id={reasonId} className="sr-only">
          {reason}
        </span>
      )}
    </>
  );
}
