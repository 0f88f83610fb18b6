import * as t from "@/texts/admin";
import { useTakeDownMutation } from "./endpoints";
import { useDeletion } from "./useDeletion";

/** A phone that an admin may remove. */
interface Phone {
  _id: string;
  name: string;
}

/** The button with which an admin removes a phone from the market, and its confirmation dialog. */
export function useRemovePhone() {
  const [remove] = useTakeDownMutation();
  return useDeletion<Phone>((id, reason) => remove({ id, reason }), {
    question: t.removePhoneQuestion,
    done: t.removePhoneDone,
    name: ({ name }) => name,
    consequence: t.removePhoneConsequence,
    takesReason: true,
    own: { label: t.removePhone, titled: t.removeTitle },
  });
}
