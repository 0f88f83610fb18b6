import type { User } from "@/api/types";
import * as t from "@/texts/admin";
import { useDeleteUserMutation } from "./endpoints";
import { useDeletion } from "./useDeletion";

/** The button with which an admin deletes a seller's account from elsewhere than their row, and the dialog that asks first. */
export function useRemoveSeller() {
  const [remove] = useDeleteUserMutation();
  return useDeletion<User>(remove, {
    question: t.deleteSeller,
    done: t.sellerDeleted,
    name: ({ name }) => name,
    stake: t.sellerStake,
    own: { label: t.removeSeller, titled: t.takeDownTitle },
  });
}
