import * as t from "@/texts/booking";

/** The most characters and the fewest digits of a buyer's phone number, as the server checks it. */
const MAX_LENGTH = 20;
const MIN_DIGITS = 6;

/** Validates a buyer's phone number, cleaned, for react-hook-form: true if it is valid, otherwise the error message. */
export function checkPhoneNumber(phone: string): string | true {
  if (phone === "") return t.phoneRequired;
  if (!/^[\d+() .-]*$/.test(phone)) return t.phoneInvalidCharacters;
  if (phone.replace(/\D/g, "").length < MIN_DIGITS) return t.phoneTooShort;
  return phone.length <= MAX_LENGTH || t.phoneTooLong;
}
