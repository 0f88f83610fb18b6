import * as t from "@/texts/booking";

/** The characters that a buyer's phone number has at most, and the digits that it has at least (contract, part two). */
const LENGTH_MAX = 20;
const DIGITS_MIN = 6;

/** Says what is wrong with a buyer's phone number; true when nothing is. */
export function checkPhone(typed: string): string | true {
  const phone = typed.trim();
  if (phone === "") return t.phoneRequired;
  if (!/^[\d+() .-]*$/.test(phone)) return t.phoneInvalidCharacters;
  if (phone.replace(/\D/g, "").length < DIGITS_MIN) return t.phoneTooShort;
  return phone.length <= LENGTH_MAX || t.phoneTooLong;
}
