import { cleanEmail, cleanLine } from "@/lib/cleanText";
import * as t from "@/texts/auth";

/** Validation of the sign-in and sign-up forms; the words are the specification's. */
export const fieldRules = {
  email: { required: t.emailRequired, setValueAs: cleanEmail },
  password: {
    required: t.passwordRequired,
    minLength: { value: 6, message: t.passwordShort },
  },
  name: { required: t.nameRequired, setValueAs: cleanLine },
  accountType: { required: t.accountTypeRequired },
} as const;
