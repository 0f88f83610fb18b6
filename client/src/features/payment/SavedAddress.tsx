import { useEffect, useRef } from "react";
import * as t from "@/texts/payment";
import { Button, ErrorState, Skeleton, useAnnounce } from "@/ui";
import { PostalAddress } from "@/ui/PostalAddress";
import type { DeliveryControls } from "./useDelivery";

/** The address of the order, with a button that changes it. */
export function SavedAddress({ controls }: { controls: DeliveryControls }) {
  const { saved, hasSaved, isBusy, edit } = controls;
  const button = useRef<HTMLButtonElement>(null);
  const announce = useAnnounce();
  useEffect(() => {
    if (!hasSaved) return;
    announce(t.addressSaved);
    // The form that had the focus is gone.
    if (document.activeElement === document.body) button.current?.focus();
  }, [announce, hasSaved]);
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted">{t.sentTo}</p>
      {saved.address && <PostalAddress address={saved.address} />}
      {saved.isError && (
        <ErrorState
          message={t.addressNotLoaded}
          busy={saved.isFetching}
          onRetry={() => void saved.refetch()}
        />
      )}
      {saved.address === undefined && !saved.isError && <Skeleton className="h-18 w-60 max-w-full" />}
      <Button
        ref={button}
        size="sm"
        variant="secondary"
        aria-label={t.changeAddressName}
        disabled={isBusy}
        onClick={edit}
      >
        {t.changeAddress}
      </Button>
    </div>
  );
}
