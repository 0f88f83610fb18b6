import { money } from "./language";

/** What the booking dialog says. */
export const title = (phone: string) => `Ｂｏｏｋ ${phone}`;
export const userName = "Ｕｓｅｒ Ｎａｍｅ";
export const email = "Ｅｍａｉｌ";
export const productName = "Ｐｒｏｄｕｃｔ Ｎａｍｅ";
export const price = "Ｐｒｉｃｅ";
export const phone = "Ｐｈｏｎｅ";
export const phoneRequired = "Ｐｈｏｎｅ ｉｓ ｒｅｑｕｉｒｅｄ";
export const location = "Ｌｏｃａｔｉｏｎ";
export const locationHint = "Ｏｐｔｉｏｎａｌ: ｗｈｅｒｅ ｙｏｕ ｗｏｕｌｄ ｌｉｋｅ ｔｏ ｍｅｅｔ";
export const confirm = "Ｃｏｎｆｉｒｍ ｂｏｏｋｉｎｇ";
export const confirmed = "Ｂｏｏｋｉｎｇ Ｃｏｎｆｉｒｍｅｄ";

/** The phone was lost while the dialog was open. */
export const taken = "Ｔｈｉｓ ｐｈｏｎｅ ｈａｓ ｊｕｓｔ ｂｅｅｎ ｂｏｏｋｅｄ.";
export const gone = "Ｔｈｉｓ ｐｈｏｎｅ ｉｓ ｎｏ ｌｏｎｇｅｒ ｆｏｒ ｓａｌｅ.";
export const kept = "Ｗｈａｔ ｙｏｕ ｔｙｐｅｄ ｉｓ ｋｅｐｔ.";
export const freeAgain = "Ｉｔ ｉｓ ｆｒｅｅ ａｇａｉｎ: ｙｏｕ ｃａｎ ｂｏｏｋ ｉｔ.";

/** The price was changed while the dialog was open. */
export const newPrice = (before: number, now: number) =>
  `Ｔｈｅ ｐｒｉｃｅ ｈａｓ ｃｈａｎｇｅｄ ｆｒｏｍ ${money(before)} ｔｏ ${money(now)}.`;
export const agree = (now: number) => `Ａｇｒｅｅ ｔｏ ${money(now)}`;

/** Free phones like the one that was lost. */
export const similar = "Ｆｒｅｅ ｐｈｏｎｅｓ ｌｉｋｅ ｉｔ";
export const searching = "Ｌｏｏｋｉｎｇ ｆｏｒ ｆｒｅｅ ｐｈｏｎｅｓ ｌｉｋｅ ｉｔ";
export const choose = (name: string, cost: number, condition: string) =>
  `Ｂｏｏｋ ${name} ｉｎｓｔｅａｄ, ${money(cost)}, ${condition}`;
export const chosen = (name: string) => `Ｙｏｕ ａｒｅ ｂｏｏｋｉｎｇ ${name} ｎｏｗ.`;
export const noneSimilar = "Ｎｏ ｐｈｏｎｅ ｌｉｋｅ ｉｔ ｉｓ ｆｒｅｅ ｒｉｇｈｔ ｎｏｗ.";
export const similarFailed = "Ｆｒｅｅ ｐｈｏｎｅｓ ｌｉｋｅ ｉｔ ｃｏｕｌｄ ｎｏｔ ｂｅ ｌｏｏｋｅｄ ｕｐ.";
export const allOf = (brand: string) => `Ａｌｌ ${brand} ｐｈｏｎｅｓ`;
export const tryAgain = "Ｔｒｙ ａｇａｉｎ";

/** The buyer may not hold (this) one now. */
export const toOrders = "Ｇｏ ｔｏ Ｍｙ Ｏｒｄｅｒｓ";
