import { useEffect, useEffectEvent } from "react";
import { api } from "./api";
import type { SignedInUser } from "./types";

/** How others reach the person. */
export interface Contact {
  /** A telephone number. */
  phone: string;
  location: string;
}

const FIELDS = ["phone", "location"] as const;

const contact = api.injectEndpoints({
  endpoints: (build) => ({
    /** What the account remembers; empty texts if nothing. A sign-in does not return it. */
    rememberedContact: build.query<Contact, void>({
      query: () => "/identity/me",
      transformResponse: ({ phone = "", location = "" }: SignedInUser) => ({ phone, location }),
      keepUnusedDataFor: 0,
    }),
    rememberContact: build.mutation<unknown, Partial<Contact>>({
      query: (body) => ({ url: "/identity/me", method: "PATCH", body }),
    }),
  }),
});

const { useRememberedContactQuery, useRememberContactMutation } = contact;

/** The methods of react-hook-form that fill in the fields. */
interface ContactForm {
  getValues: (field: keyof Contact) => string;
  setValue: (field: keyof Contact, value: string) => void;
}

/**
 * Fills the empty fields of a form with the contact that the account remembers. `remember` stores what was sent; an empty
 * text and a failed call change nothing.
 */
export function useRememberedContact(form: ContactForm) {
  const { data: remembered } = useRememberedContactQuery();
  const [store] = useRememberContactMutation();
  const fill = (): void => {
    for (const field of FIELDS) {
      if (remembered && form.getValues(field) === "") form.setValue(field, remembered[field]);
    }
  };
  const fillAfterLoading = useEffectEvent(fill);
  useEffect(() => {
    if (remembered) fillAfterLoading();
  }, [remembered]);
  const remember = (sent: Contact): void => {
    const changed = FIELDS.filter((field) => sent[field] !== "" && sent[field] !== remembered?.[field]);
    if (changed.length > 0) void store(Object.fromEntries(changed.map((field) => [field, sent[field]])));
  };
  return { fill, remember };
}
