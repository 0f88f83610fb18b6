import { useId } from "react";
import { useConfigQuery } from "@/api/config";
import { messageOf } from "@/api/errors";
import { useRole } from "@/api/role";
import type { AdvertisePolicy, Product } from "@/api/types";
import { Badge, Button, useToast } from "@/ui";
import { useAdvertiseMutation } from "./endpoints";

/** Why this seller can't advertise this phone now; null when they can. */
export function reasonAgainst(policy: AdvertisePolicy, isVerified: boolean, booked: boolean): string | null {
  if (policy === "off") return "Advertising is switched off here";
  if (policy === "verified" && !isVerified) return "Get verified by an admin to advertise";
  if (booked) return "A booked phone can't be advertised";
  return null;
}

/** The Advertise button, disabled with its reason until it may be used; afterwards the word Advertised. */
export function AdvertiseCell({ product }: { product: Product }) {
  const { data: config } = useConfigQuery();
  const { isVerified } = useRole();
  const [advertise, { isLoading }] = useAdvertiseMutation();
  const toast = useToast();
  const reasonId = useId();
  // Until the server has said otherwise: its default.
  const reason = reasonAgainst(config?.advertise ?? "verified", isVerified, product.booked);
  const press = async () => {
    const { error } = await advertise(product._id);
    if (error) toast(messageOf(error), "error");
    else toast("Advertise Successful");
  };
  return (
    // As high and wide with the reason as without: being verified, or booked, moves nothing.
    <div className="grid min-h-19 content-center justify-items-start gap-1 @4xl:w-40">
      {product.advertise ? (
        <Badge tone="brand">Advertised</Badge>
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
            Advertise
          </Button>
          {reason && (
            <span id={reasonId} className="text-muted text-sm">
              {reason}
            </span>
          )}
        </>
      )}
    </div>
  );
}
