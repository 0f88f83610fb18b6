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
  return useDeletion<Phone>(remove, {
    question: t.takeDownQuestion,
    done: t.phoneRemoved,
    name: ({ name }) => name,
    consequence: t.takeDownConsequence,
    own: { label: t.takeDown, titled: t.takeDownTitle },
  });
}
