import { useId } from "react";
import { useConfigQuery } from "@/api/config";
import { errorMessage } from "@/api/errors";
import { useRole } from "@/api/role";
import type { AdvertisePolicy, Product } from "@/api/types";
import * as t from "@/texts/selling";
import { Badge, Button, useToast } from "@/ui";
import { useAdvertiseMutation, useStopAdvertisingMutation } from "./endpoints";

/** Why this seller can't advertise any phone now; null when they can. */
function reasonOf(policy: AdvertisePolicy, isVerified: boolean): string | null {
  if (policy === "off") return t.advertisingOff;
  return policy === "verified" && !isVerified ? t.getVerified : null;
}

function useReason(): string | null {
  const { data: config } = useConfigQuery();
  const { isVerified } = useRole();
  // Until the server has said otherwise: its default.
  return reasonOf(config?.advertise ?? "verified", isVerified);
}

/** Says once, above the table, what each of its buttons would have to say. As high whatever it says. */
export function AdvertiseNote() {
  const reason = useReason();
  return <p className="-mt-3 min-h-[2lh] text-muted sm:min-h-[1lh]">{reason ?? t.mayAdvertise}</p>;
}

/** The word Advertised with a way to end it, or the Advertise button. As high in every state: a pushed change moves nothing. */
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
      {/* Home does not show a booked phone anyway. */}
      {!product.booked && (
        <Button
          size="sm"
          variant="quiet"
          className="-ms-3.5"
          title={t.stopAdvertisingWhich(product.name)}
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
 * Disabled until it may be used. Why it is disabled is seen elsewhere (above the table; in the phone's status), so here
 * it is only read out, and shown on pointing.
 */
function AdvertiseButton({ product }: { product: Product }) {
  const ofAll = useReason();
  const [advertise, { isLoading }] = useAdvertiseMutation();
  const toast = useToast();
  const reasonId = useId();
  const reason = ofAll ?? (product.booked ? t.bookedNotAdvertised : null);
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
