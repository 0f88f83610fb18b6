import { plural } from "./language";

// The specification's words.
export const title = "Ｄａｓｈｂｏａｒｄ";
export const myOrders = "Ｍｙ Ｏｒｄｅｒｓ";
export const addProduct = "Ａｄｄ Ａ Ｐｒｏｄｕｃｔ";
export const myProducts = "Ｍｙ Ｐｒｏｄｕｃｔｓ";
export const allBuyers = "Ａｌｌ Ｂｕｙｅｒｓ";
export const allSellers = "Ａｌｌ Ｓｅｌｌｅｒｓ";
export const reportedItems = "Ｒｅｐｏｒｔｅｄ Ｉｔｅｍｓ";
export const auditTrail = "Ａｕｄｉｔ Ｔｒａｉｌ";
/** Beside the heading, the way to what is kept on oneself. */
export const account = "Ｙｏｕｒ ａｃｃｏｕｎｔ";
export const pay = "Ｐａｙ";

/** The buyer's first page: figures with a note each, and what waits. */
export const buyer = "Ｙｏｕｒ ｏｒｄｅｒｓ ｒｉｇｈｔ ｎｏｗ";
export const findPhone = "Ｆｉｎｄ ａ ｐｈｏｎｅ";
export const toPay = "Ｔｏ ｐａｙ";
export const toPayNone = "ｎｏｔｈｉｎｇ ｗａｉｔｓ";
export const owed = "Ｔｏ ｐａｙ ｉｎ ａｌｌ";
export const owedNote = "ｈｅｌｄ ｆｏｒ ｙｏｕ";
export const paid = "Ｐａｉｄ";
export const paidNote = "ｙｏｕｒｓ ｆｏｒ ｇｏｏｄ";
export const spent = "Ｓｐｅｎｔ";
export const spentNote = "ｏｎ ｗｈａｔ ｙｏｕ ｐａｉｄ";
export const heldForYou = "Ｈｅｌｄ ｆｏｒ ｙｏｕ";
export const nothingHeld =
  "Ｎｏｔｈｉｎｇ ｉｓ ｈｅｌｄ ｆｏｒ ｙｏｕ. Ｐｒｅｓｓ Ｂｏｏｋ Ｎｏｗ ｏｎ ａ ｐｈｏｎｅ ａｎｄ ｉｔ ｗａｉｔｓ ｈｅｒｅ ｕｎｔｉｌ ｙｏｕ ｐａｙ.";
/** A button's tooltip. */
export const payFor = (phone: string) => `Ｐａｙ ｆｏｒ ${phone}`;
export const expired = "Ｅｘｐｉｒｅｄ";
export const cancelled = "Ｃａｎｃｅｌｌｅｄ";
export const refunded = "Ｒｅｆｕｎｄｅｄ";

/** The seller's. */
export const seller = "Ｙｏｕｒ ｓｈｏｐ ｒｉｇｈｔ ｎｏｗ";
export const listPhone = "Ｌｉｓｔ ａ ｐｈｏｎｅ";
export const onSale = "Ｏｎ ｓａｌｅ";
export const onSaleNote = (sum: string) => `ａｓｋｉｎｇ ${sum}`;
export const held = "Ｈｅｌｄ";
export const heldNote = "ｗａｉｔｉｎｇ ｆｏｒ ｐａｙｍｅｎｔ";
export const sold = "Ｓｏｌｄ";
export const soldNote = "ｐａｉｄ ｉｎ ｆｕｌｌ";
export const taken = "Ｍｏｎｅｙ ｔａｋｅｎ ｉｎ";
export const takenNote = "ｆｒｏｍ ｓｏｌｄ ｐｈｏｎｅｓ";
export const heldForBuyer = "Ｈｅｌｄ ｆｏｒ ａ ｂｕｙｅｒ";
export const noPhones = "Ｙｏｕ ｈａｖｅ ｎｏ ｐｈｏｎｅｓ ｏｎ ｓａｌｅ ｙｅｔ. Ｔｈｅ ｆｉｒｓｔ ｏｎｅ ｔａｋｅｓ ｔｗｏ ｍｉｎｕｔｅｓ.";
export const nothingWaits = "Ｎｏ ｂｏｏｋｉｎｇ ｗａｉｔｓ ｆｏｒ ｐａｙｍｅｎｔ. Ｗｈｅｎ ｏｎｅ ｉｓ ｍａｄｅ, ｉｔ ａｐｐｅａｒｓ ｈｅｒｅ ｂｙ ｉｔｓｅｌｆ.";
export const freeAgain = "Ｆｒｅｅ ａｇａｉｎ";

/** The admin's; under a figure the way to its list. */
export const admin = "Ｔｈｅ ｍａｒｋｅｔ ｒｉｇｈｔ ｎｏｗ";
export const buyers = "Ｂｕｙｅｒｓ";
export const seeBuyers = "Ｓｅｅ ｔｈｅ ｂｕｙｅｒｓ";
export const sellers = "Ｓｅｌｌｅｒｓ";
export const seeSellers = "Ｓｅｅ ｔｈｅ ｓｅｌｌｅｒｓ";
export const notVerifiedYet = "Ｎｏｔ ｖｅｒｉｆｉｅｄ ｙｅｔ";
export const seeUnverified = "Ｓｅｅ ｔｈｅ ｓｅｌｌｅｒｓ ｔｏ ｖｅｒｉｆｙ";
export const openReports = "Ｏｐｅｎ ｒｅｐｏｒｔｓ";
export const seeReports = "Ｓｅｅ ｔｈｅ ｒｅｐｏｒｔｓ";
export const toVerify = "Ｓｅｌｌｅｒｓ ｔｏ ｖｅｒｉｆｙ";
export const allVerified = "Ｅｖｅｒｙ ｓｅｌｌｅｒ ｉｓ ｖｅｒｉｆｉｅｄ.";
export const verified = "Ｖｅｒｉｆｉｅｄ";
export const notVerified = "Ｎｏｔ ｖｅｒｉｆｉｅｄ";
export const newestReports = "Ｎｅｗｅｓｔ ｒｅｐｏｒｔｓ";
export const nothingReported = "Ｎｏｔｈｉｎｇ ｉｓ ｒｅｐｏｒｔｅｄ.";

/** In place of a row whose phone, order, seller or report has gone. */
export const gone = "Ｎｏ ｌｏｎｇｅｒ ｔｈｅｒｅ";
/** Under a list that shows the first few. */
export const more = (count: number) => plural(count, { one: "ａｎｄ # ｍｏｒｅ", other: "ａｎｄ # ｍｏｒｅ" });
