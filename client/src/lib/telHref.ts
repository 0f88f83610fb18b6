/** The address of a link that calls a phone number: its digits and plus signs. */
export const telHref = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, "")}`;
