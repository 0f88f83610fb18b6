import { number } from "./language";

// The specification's words.
export const allBuyers = "Ａｌｌ Ｂｕｙｅｒｓ";
/** The heading, once it is known how many there are. */
export const allBuyersCounted = (count: number) => `Ａｌｌ Ｂｕｙｅｒｓ: ${number(count)}`;
export const allSellers = "Ａｌｌ Ｓｅｌｌｅｒｓ";
export const reportedItems = "Ｒｅｐｏｒｔｅｄ Ｉｔｅｍｓ";
export const name = "Ｎａｍｅ";
export const email = "Ｅｍａｉｌ";
export const status = "Ｓｔａｔｕｓ";
export const verify = "Ｖｅｒｉｆｙ";
/** The column and its buttons. */
export const remove = "Ｄｅｌｅｔｅ";
export const productImage = "Ｐｒｏｄｕｃｔ Ｉｍａｇｅ";
export const productName = "Ｐｒｏｄｕｃｔ Ｎａｍｅ";
export const reporterName = "Ｒｅｐｏｒｔｅｒ Ｎａｍｅ";
export const reportReason = "Ｒｅｐｏｒｔ Ｒｅａｓｏｎ";
export const notVerified = "Ｎｏｔ ｖｅｒｉｆｉｅｄ";
export const verified = "ｖｅｒｉｆｉｅｄ";
export const makeVerified = "Ｍａｋｅ Ｖｅｒｉｆｉｅｄ";
export const deleteBuyer = "Ａｒｅ ｙｏｕ ｓｕｒｅ ｙｏｕ ｗａｎｔ ｔｏ ｄｅｌｅｔｅ ｔｈｉｓ ｂｕｙｅｒ?";
export const deleteSeller = "Ａｒｅ ｙｏｕ ｓｕｒｅ ｙｏｕ ｗａｎｔ ｔｏ ｄｅｌｅｔｅ ｔｈｉｓ ｓｅｌｌｅｒ?";
export const deleteReport = "Ａｒｅ ｙｏｕ ｓｕｒｅ ｙｏｕ ｗａｎｔ ｔｏ ｄｅｌｅｔｅ ｔｈｉｓ ｒｅｐｏｒｔ?";
export const buyerDeleted = "Ｂｕｙｅｒ Ｄｅｌｅｔｅｄ Ｓｕｃｃｅｓｓｆｕｌｌｙ";
export const sellerDeleted = "Ｓｅｌｌｅｒ Ｄｅｌｅｔｅｄ Ｓｕｃｃｅｓｓｆｕｌｌｙ";
export const sellerVerified = "Ｓｅｌｌｅｒ ｉｓ Ｖｅｒｉｆｉｅｄ Ｎｏｗ";
export const reportDeleted = "Ｒｅｐｏｒｔ Ｄｅｌｅｔｅｄ Ｓｕｃｃｅｓｓｆｕｌｌｙ";

/** A button's tooltip: whom or what it deletes. */
export const removeTitle = (what: string) => `Ｄｅｌｅｔｅ ${what}`;
export const makeVerifiedTitle = (seller: string) => `Ｍａｋｅ ${seller} ｖｅｒｉｆｉｅｄ`;
/** What is deleted, when it is a report. */
export const reportOf = (phone: string) => `ｔｈｅ ｒｅｐｏｒｔ ｏｆ ${phone}`;

/** What goes with a deletion; `what` is who or what is deleted, in bold. */
export const buyerStake = " – ｔｈｅｉｒ ｏｐｅｎ ｂｏｏｋｉｎｇｓ ｅｎｄ, ａｎｄ ｔｈｅｙ ｃａｎ'ｔ ｓｉｇｎ ｉｎ ａｇａｉｎ.{what}";
export const sellerStake = " – ｔｈｅｉｒ ｐｈｏｎｅｓ ｌｅａｖｅ ｔｈｅ ｍａｒｋｅｔ, ａｎｄ ｔｈｅｙ ｃａｎ'ｔ ｓｉｇｎ ｉｎ ａｇａｉｎ.{what}";
export const reportStake = " – ｔｈｅ ｐｈｏｎｅ ｉｔｓｅｌｆ ｓｔａｙｓ ｌｉｓｔｅｄ.{what}";

export const noBuyers = "Ｔｈｅｒｅ ａｒｅ ｎｏ ｂｕｙｅｒｓ ｙｅｔ";
export const noBuyersHint = "Ｗｈｏｅｖｅｒ ｓｉｇｎｓ ｕｐ ａｓ ａ Ｕｓｅｒ ａｐｐｅａｒｓ ｈｅｒｅ ａｔ ｏｎｃｅ.";
export const noSellers = "Ｔｈｅｒｅ ａｒｅ ｎｏ ｓｅｌｌｅｒｓ ｙｅｔ";
export const noSellersHint = "Ｗｈｏｅｖｅｒ ｓｉｇｎｓ ｕｐ ａｓ ａ Ｓｅｌｌｅｒ ａｐｐｅａｒｓ ｈｅｒｅ ａｔ ｏｎｃｅ.";
export const noReports = "Ｎｏｔｈｉｎｇ ｉｓ ｒｅｐｏｒｔｅｄ";
export const noReportsHint = "Ｎｅｗ ｒｅｐｏｒｔｓ ａｐｐｅａｒ ｈｅｒｅ ｔｈｅ ｍｏｍｅｎｔ ｔｈｅｙ ａｒｅ ｍａｄｅ.";
