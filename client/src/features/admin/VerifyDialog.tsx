import { useState } from "react";
import { toApiError } from "@/api/errors";
import type { User } from "@/api/types";
import * as t from "@/texts/admin";
import { ConfirmDialog, useToast } from "@/ui";
import { ALL_SELLERS, useLazySellersQuery, useVerifySellerMutation } from "./endpoints";
import { SellerFacts } from "./SellerFacts";

interface Props {
  /** The seller when the dialog was opened. */
  seller: User;
  /** The seller now; undefined if they are not in the list any more. */
  latest: User | undefined;
  onClose: () => void;
}

const isSame = (a: User, b: User) => a.name === b.name && a.email === b.email;

/**
 * Asks before a seller is verified. It shows what it was opened with, so that no name can change in the moment
 * of the click. If the seller has another name or address by then, it shows that one and asks again.
 */
export function VerifyDialog({ seller, latest, onClose }: Props) {
  const [shown, setShown] = useState(seller);
  const [before, setBefore] = useState<User>();
  const { send, busy } = useVerification();

  const confirm = async () => {
    const current = latest ?? shown;
    const changed = isSame(current, shown) ? await send(current) : current;
    if (!changed) return onClose();
    setBefore(shown);
    setShown(changed);
  };
  return (
    <ConfirmDialog
      open
      title={t.verifyQuestion(shown.name)}
      confirmLabel={t.makeVerified}
      confirmVariant="primary"
      busy={busy}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {before && (
        <p role="status" className="mb-4 rounded-md bg-accent-soft px-4 py-3 font-semibold text-accent">
          {t.sellerChanged}
        </p>
      )}
      <SellerFacts seller={shown} before={before ?? shown} />
    </ConfirmDialog>
  );
}

/** Verifies a seller. Resolves to the seller as they are now if they have changed since. */
function useVerification() {
  const [verify, verifying] = useVerifySellerMutation();
  const [reload, reloading] = useLazySellersQuery();
  const toast = useToast();
  const send = async ({ _id: id, version }: User): Promise<User | undefined> => {
    const { error } = await verify({ id, version });
    if (!error) {
      toast(t.sellerVerified);
      return;
    }
    const { code, message } = toApiError(error);
    const changed = code === "conflict" ? (await reload(ALL_SELLERS)).data?.entities[id] : undefined;
    if (!changed) toast(message, "error");
    return changed;
  };
  return { send, busy: verifying.isLoading || reloading.isFetching };
}
