import type { Booking } from "@/api/types";

/** Whether it is clear how the buyer gets the phone: the two sides meet, or there is an address to send it to. */
export const hasDelivery = ({ delivery, addressId }: Booking) =>
  delivery === "meet" || addressId !== undefined;
