// The specification's words; it writes prices without a separator.
export const heading = (phone: string) => `Ｐａｙｍｅｎｔ ｆｏｒ ${phone}`;
export const pleasePay = (price: number) => `Ｐｌｅａｓｅ ｐａｙ $${price} ｆｏｒ ｙｏｕｒ ｂｏｏｋｉｎｇ`;
export const pay = "Ｐａｙ";
export const paid = "Ｐａｉｄ";
export const congratulations = "Ｃｏｎｇｒａｔｓ! Ｙｏｕｒ Ｐａｙｍｅｎｔ Ｃｏｍｐｌｅｔｅｄ";

/** The heading where there is no booking to name. */
export const title = "Ｐａｙｍｅｎｔ";
/** In place of the specification's words once there is nothing to pay. */
export const youPaid = (price: number) => `Ｙｏｕ ｈａｖｅ ｐａｉｄ $${price}`;
export const yourBookingAt = (price: number) => `Ｙｏｕｒ ｂｏｏｋｉｎｇ ａｔ $${price}`;
export const amount = (price: number) => `$${price}`;
export const loading = "Ｌｏａｄｉｎｇ";
export const noBooking = "Ｔｈｅｒｅ ｉｓ ｎｏ ｓｕｃｈ ｂｏｏｋｉｎｇ";
export const toDashboard = "Ｇｏ ｔｏ ｙｏｕｒ ｄａｓｈｂｏａｒｄ";

/** What is paid for. */
export const yourBooking = "Ｙｏｕｒ ｂｏｏｋｉｎｇ";
export const phone = "Ｐｈｏｎｅ";
export const brand = "Ｂｒａｎｄ";
export const price = "Ｐｒｉｃｅ";
export const payment = "Ｐａｙｍｅｎｔ";
/** Before the time that is left. */
export const kept = "Ｋｅｐｔ ｆｏｒ ｙｏｕ";
export const refunded = "Ｒｅｆｕｎｄｅｄ";
/** The card was charged, and the payment is not recorded yet. */
export const charged = "Ｃｈａｒｇｅｄ";

export const cardForm = "Ｃａｒｄ ｐａｙｍｅｎｔ";
export const card = "Ｃａｒｄ";
export const cardFormFailed = "Ｔｈｅ ｃａｒｄ ｆｏｒｍ ｃｏｕｌｄ ｎｏｔ ｂｅ ｌｏａｄｅｄ.";
export const unsure =
  "Ｔｈｅ ｃａｒｄ ｐｒｏｖｉｄｅｒ ｃｏｕｌｄ ｎｏｔ ｂｅ ｒｅａｃｈｅｄ, ｓｏ ｗｅ ｃａｎ'ｔ ｔｅｌｌ ｙｅｔ ｗｈｅｔｈｅｒ ｙｏｕｒ ｃａｒｄ ｗａｓ ｃｈａｒｇｅｄ. " +
  "Ｐｒｅｓｓ Ｐａｙ ａｇａｉｎ: ｗｅ ｌｏｏｋ ｆｉｒｓｔ, ａｎｄ ｙｏｕ ａｒｅ ｎｅｖｅｒ ｃｈａｒｇｅｄ ｔｗｉｃｅ.";
export const notCompleted = "Ｔｈｅ ｐａｙｍｅｎｔ ｗａｓ ｎｏｔ ｃｏｍｐｌｅｔｅｄ. Ｐｌｅａｓｅ ｔｒｙ ａｇａｉｎ.";

/** In place of the form: what became of the payment. */
export const processing = "Ｙｏｕｒ ｐａｙｍｅｎｔ ｉｓ ｂｅｉｎｇ ｐｒｏｃｅｓｓｅｄ";
export const processingLead =
  "Ｙｏｕ ｎｅｅｄ ｎｏｔ ｐａｙ ａｇａｉｎ. Ｔｈｉｓ ｐａｇｅ ｓａｙｓ ｓｏ ａｓ ｓｏｏｎ ａｓ ｉｔ ｉｓ ｔｈｒｏｕｇｈ; ｙｏｕ ｍａｙ ａｌｓｏ ｌｅａｖｅ ｉｔ.";
export const recording = "Ｙｏｕｒ ｃａｒｄ ｗａｓ ｃｈａｒｇｅｄ; ｗｅ ａｒｅ ｒｅｃｏｒｄｉｎｇ ｔｈｅ ｐａｙｍｅｎｔ";
export const recordingLead = "Ｙｏｕ ｎｅｅｄ ｎｏｔ ｐａｙ ａｇａｉｎ. Ｉｔ ｉｓ ｒｅｃｏｒｄｅｄ ｅｖｅｎ ｉｆ ｙｏｕ ｌｅａｖｅ ｔｈｉｓ ｐａｇｅ.";
export const complete = "Ｙｏｕｒ ｐａｙｍｅｎｔ ｉｓ ｃｏｍｐｌｅｔｅ";
export const completeLead = "Ｔｈｅ ｐｈｏｎｅ ｉｓ ｙｏｕｒｓ. Ｔｈｅ ｓｅｌｌｅｒ ｈａｓ ｙｏｕｒ ｃｏｎｔａｃｔ ｄｅｔａｉｌｓ ａｎｄ ｗｉｌｌ ｂｅ ｉｎ ｔｏｕｃｈ.";
export const refundedLead = "Ｙｏｕｒ ｐａｙｍｅｎｔ ｆｏｒ ｔｈｉｓ ｐｈｏｎｅ ｈａｓ ｂｅｅｎ ｒｅｆｕｎｄｅｄ ｉｎ ｆｕｌｌ.";
export const expired = "Ｔｈｅ ｔｉｍｅ ｔｏ ｐａｙ ｉｓ ｏｖｅｒ";
export const expiredLead = "Ｔｈｉｓ ｂｏｏｋｉｎｇ ｗａｓ ｎｏｔ ｐａｉｄ ｉｎ ｔｉｍｅ, ｓｏ ｔｈｅ ｐｈｏｎｅ ｉｓ ｆｒｅｅ ａｇａｉｎ.";
export const cancelled = "Ｔｈｉｓ ｂｏｏｋｉｎｇ ｗａｓ ｃａｎｃｅｌｌｅｄ";
export const cancelledLead = "Ｔｈｅ ｐｈｏｎｅ ｉｓ ｆｒｅｅ ａｇａｉｎ, ａｎｄ ｔｈｅｒｅ ｉｓ ｎｏｔｈｉｎｇ ｔｏ ｐａｙ.";
export const closed = "Ｔｈｉｓ ｐａｙｍｅｎｔ ｗａｓ ｃａｎｃｅｌｌｅｄ";
export const closedLead = "Ｙｏｕｒ ｃａｒｄ ｗａｓ ｎｏｔ ｃｈａｒｇｅｄ. Ｉｆ ｔｈｅ ｐｈｏｎｅ ｉｓ ｓｔｉｌｌ ｋｅｐｔ ｆｏｒ ｙｏｕ, ｔｒｙ ａｇａｉｎ.";
export const unready = "Ｔｈｉｓ ｂｏｏｋｉｎｇ ｃａｎ'ｔ ｂｅ ｐａｉｄ ｒｉｇｈｔ ｎｏｗ";
export const unrecorded = "Ｙｏｕｒ ｃａｒｄ ｗａｓ ｃｈａｒｇｅｄ, ｂｕｔ ｔｈｅ ｐａｙｍｅｎｔ ｃｏｕｌｄ ｎｏｔ ｂｅ ｒｅｃｏｒｄｅｄ";
export const unrecordedLead =
  "Ｙｏｕ ｎｅｅｄ ｎｏｔ ｐａｙ ａｇａｉｎ. Ｋｅｅｐ ｔｈｅ ｔｒａｎｓａｃｔｉｏｎ ｉｄ ｕｎｔｉｌ Ｍｙ Ｏｒｄｅｒｓ ｓｈｏｗｓ ｔｈｅ ｐｈｏｎｅ ａｓ ｐａｉｄ.";
export const transaction = "{id}Ｔｒａｎｓａｃｔｉｏｎ ｉｄ: ";
export const toOrders = "Ｇｏ ｔｏ Ｍｙ Ｏｒｄｅｒｓ";
export const tryAgain = "Ｔｒｙ ａｇａｉｎ";
