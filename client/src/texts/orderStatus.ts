/** The status of an order that ended without a sale. */
export const expired = "Expired";
export const cancelled = "Cancelled";
export const refunded = "Refunded";
