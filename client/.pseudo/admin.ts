import { dateIn } from "@/lib/intl";
import { LOCALE, number } from "./language";

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

export const auditTrail = "Ａｕｄｉｔ Ｔｒａｉｌ";
export const trailNote = "Ｅａｃｈ ｌｉｎｅ ｉｓ ｋｅｐｔ ｆｏｒ 400 ｄａｙｓ, ａｎｄ ｎｏｂｏｄｙ ｃａｎ ｃｈａｎｇｅ ｉｔ.";
export const noLines = "Ｎｏｔｈｉｎｇ ｗａｓ ｄｏｎｅ ｙｅｔ";
export const noLinesHint = "Ｗｈａｔ ａｎ ａｄｍｉｎ ｄｏｅｓ ａｐｐｅａｒｓ ｈｅｒｅ ｔｈｅ ｍｏｍｅｎｔ ｉｔ ｉｓ ｄｏｎｅ.";
/** The columns. */
export const when = "Ｗｈｅｎ";
export const by = "Ｂｙ";
export const deed = "Ｄｅｅｄ";
/** Whom or what the deed was about. */
export const about = "Ａｂｏｕｔ";
/** In place of an admin's name, for what a command on the server did. */
export const operator = "Ｔｈｅ ｏｐｅｒａｔｏｒ";
/** The deeds. */
export const deedVerifySeller = "Ｖｅｒｉｆｉｅｄ ａ ｓｅｌｌｅｒ";
export const deedRemoveBuyer = "Ｄｅｌｅｔｅｄ ａ ｂｕｙｅｒ";
export const deedRemoveSeller = "Ｄｅｌｅｔｅｄ ａ ｓｅｌｌｅｒ";
export const deedRemovePhone = "Ｄｅｌｅｔｅｄ ａ ｐｈｏｎｅ";
export const deedSettleReport = "Ｓｅｔｔｌｅｄ ａ ｒｅｐｏｒｔ";
export const deedMakeAdmin = "Ｍａｄｅ ａｎ ａｄｍｉｎ";
export const deedRevokeAdmin = "Ｅｎｄｅｄ ｂｅｉｎｇ ａｎ ａｄｍｉｎ";
export const deedSetPassword = "Ｓｅｔ ａ ｎｅｗ ｐａｓｓｗｏｒｄ";
export const deedAllowAgain = "Ｌｅｔ ｓｉｇｎ ｕｐ ａｇａｉｎ";
export const deedRestore = "Ｒｅｓｔｏｒｅｄ ａ ｂａｃｋｕｐ";
const moment = /* @__PURE__ */ dateIn(LOCALE, {
  day: "ｎｕｍｅｒｉｃ",
  month: "ｓｈｏｒｔ",
  year: "ｎｕｍｅｒｉｃ",
  hour: "2-ｄｉｇｉｔ",
  minute: "2-ｄｉｇｉｔ",
});
/** A moment, to the minute. */
export const at = (time: string) => moment(new Date(time));
/** What was restored. */
export const backupOf = (time: string) => `ｏｆ ${moment(new Date(time))}`;
/** Read out when a line comes by itself. */
export const lineCame = (deed: string, target: string) => `Ａｕｄｉｔ ｔｒａｉｌ: ${deed}, ${target}`;
