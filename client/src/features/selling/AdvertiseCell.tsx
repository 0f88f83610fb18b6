import { useId } from "react";
import { useConfigQuery } from "@/api/config";
import { messageOf } from "@/api/errors";
import { useRole } from "@/api/role";
import type { AdvertisePolicy, Product } from "@/api/types";
import * as t from "@/texts/selling";
import { Badge, Button, useToast } from "@/ui";
import { useAdvertiseMutation } from "./endpoints";

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

/**
 * The Advertise button, disabled until it may be used; afterwards the word Advertised. Why it is disabled is
 * seen elsewhere (above the table; in the phone's status), so here it is only read out, and shown on pointing.
 */
export function AdvertiseCell({ product }: { product: Product }) {
  const ofAll = useReason();
  const [advertise, { isLoading }] = useAdvertiseMutation();
  const toast = useToast();
  const reasonId = useId();
  const reason = ofAll ?? (product.booked ? t.bookedNotAdvertised : null);
  const press = async () => {
    const { error } = await advertise(product._id);
    if (error) toast(messageOf(error), "error");
    else toast(t.advertiseDone);
  };
  return (
    <div className="grid min-h-9 content-center justify-items-start @4xl:w-28">
      {product.advertise ? (
        <Badge tone="brand">{t.advertised}</Badge>
      ) : (
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
      )}
    </div>
  );
}
