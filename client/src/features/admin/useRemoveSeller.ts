import type { User } from "@/api/types";
import * as t from "@/texts/admin";
import { useDeleteUserMutation } from "./endpoints";
import { useDeletion } from "./useDeletion";

/** The button that deletes a seller's account outside of the sellers' table, and its confirmation dialog. */
export function useRemoveSeller() {
  const [remove] = useDeleteUserMutation();
  return useDeletion<User>((id, reason) => remove({ id, reason }), {
    question: t.deleteSeller,
    done: t.sellerDeleted,
    name: ({ name }) => name,
    consequence: t.sellerConsequence,
    takesReason: true,
    own: { label: t.removeSeller, titled: t.removeTitle },
  });
}
