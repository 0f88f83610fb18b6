// The specification's words.
export const title = "Ｍｙ Ｏｒｄｅｒｓ";
export const image = "ｉｍａｇｅ";
export const productName = "Ｐｒｏｄｕｃｔ-Ｎａｍｅ";
export const brand = "Ｂｒａｎｄ";
export const price = "Ｐｒｉｃｅ";
export const payment = "Ｐａｙｍｅｎｔ";
export const pay = "Ｐａｙ";
export const paid = "Ｐａｉｄ";

/** The table's name. */
export const caption = "Ｍｙ ｏｒｄｅｒｓ";
export const none = "Ｙｏｕ ｈａｖｅ ｎｏｔ ｂｏｏｋｅｄ ａ ｐｈｏｎｅ ｙｅｔ";
export const noneHint = " ａｎｄ ｐｒｅｓｓ Ｂｏｏｋ Ｎｏｗ ｏｎ ｔｈｅ ｏｎｅ ｙｏｕ ｌｉｋｅ.<link>Ｌｏｏｋ ｔｈｒｏｕｇｈ ｔｈｅ ｂｒａｎｄｓ</link>";

/** What came of an order that is over without a sale. */
export const expired = "Ｅｘｐｉｒｅｄ";
export const cancelled = "Ｃａｎｃｅｌｌｅｄ";
export const refunded = "Ｒｅｆｕｎｄｅｄ";

/** A button's tooltip. */
export const payFor = (phone: string) => `Ｐａｙ ｆｏｒ ${phone}`;
export const cancel = "Ｃａｎｃｅｌ";
export const cancelFor = (phone: string) => `Ｃａｎｃｅｌ ｔｈｅ ｂｏｏｋｉｎｇ ｏｆ ${phone}`;
export const cancelQuestion = "Ａｒｅ ｙｏｕ ｓｕｒｅ ｙｏｕ ｗａｎｔ ｔｏ ｃａｎｃｅｌ ｔｈｉｓ ｂｏｏｋｉｎｇ?";
export const cancelStake = (phone: string) =>
  `${phone} ｂｅｃｏｍｅｓ ｆｒｅｅ ｆｏｒ ｏｔｈｅｒｓ ａｔ ｏｎｃｅ. Ｙｏｕ ｃａｎ'ｔ ｈｏｌｄ ｉｔ ａｇａｉｎ ｆｏｒ ａｎ ｈｏｕｒ.`;
export const cancelConfirm = "Ｃａｎｃｅｌ ｂｏｏｋｉｎｇ";
export const bookingCancelled = "Ｂｏｏｋｉｎｇ Ｃａｎｃｅｌｌｅｄ";
