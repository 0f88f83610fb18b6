// The specification's words.
export const login = "Ｌｏｇｉｎ";
export const signUp = "Ｓｉｇｎ Ｕｐ";
export const name = "Ｎａｍｅ";
export const email = "Ｅｍａｉｌ";
export const password = "Ｐａｓｓｗｏｒｄ";
export const emailRequired = "Ｅｍａｉｌ Ａｄｄｒｅｓｓ ｉｓ ｒｅｑｕｉｒｅｄ";
export const passwordRequired = "Ｐａｓｓｗｏｒｄ ｉｓ ｒｅｑｕｉｒｅｄ";
export const passwordShort = "Ｐａｓｓｗｏｒｄ ｍｕｓｔ ｂｅ ａｔｌｅａｓｔ 6 ｃｈａｒａｃｔｅｒｓ ｏｒ ｌｏｎｇｅｒ";
export const signedIn = "ＳｉｇｎＩｎ Ｓｕｃｃｅｓｓｆｕｌ";
export const userCreated = "Ｕｓｅｒ Ｃｒｅａｔｅｄ Ｓｕｃｃｅｓｓｆｕｌｌｙ";
export const user = "Ｕｓｅｒ";
export const seller = "Ｓｅｌｌｅｒ";

export const nameRequired = "Ｎａｍｅ ｉｓ ｒｅｑｕｉｒｅｄ";
export const accountType = "Ａｃｃｏｕｎｔ ｔｙｐｅ";
export const accountTypeHint = "Ｕｓｅｒ ｂｕｙｓ ｐｈｏｎｅｓ, Ｓｅｌｌｅｒ ｌｉｓｔｓ ｔｈｅｍ.";
export const accountTypeRequired = "Ａｃｃｏｕｎｔ ｔｙｐｅ ｉｓ ｒｅｑｕｉｒｅｄ";
/** The first, empty choice of a list. */
export const choose = "Ｃｈｏｏｓｅ…";
export const newHere = "<link>Ｃｒｅａｔｅ ａｎ ａｃｃｏｕｎｔ</link>Ｎｅｗ ｔｏ ＳｅｃｏｎｄＲｉｎｇ? ";
export const notNewHere = "<link>Ｌｏｇｉｎ</link>Ａｌｒｅａｄｙ ｈａｖｅ ａｎ ａｃｃｏｕｎｔ? ";

/** What stands beside the forms on a wide screen. */
export const welcomeLive = "Ｓｅｌｌ ａｎｄ Ｂｕｙ Ｕｓｅｄ Ｐｈｏｎｅｓ, ｌｉｖｅ";
export const welcome = "Ｔｗｏ ｅｎｄｓ ｏｆ ｏｎｅ ｌｉｎｅ";
export const welcomeLead =
  "Ｂｕｙｅｒｓ ｂｏｏｋ ａ ｐｈｏｎｅ ａｎｄ ｐａｙ ｂｙ ｃａｒｄ. Ｓｅｌｌｅｒｓ ｌｉｓｔ ｏｎｅ ｉｎ ｔｗｏ ｍｉｎｕｔｅｓ ａｎｄ ｓｅｅ ｉｔ ｓｏｌｄ.";

/** Between the form and the button for Google. */
export const or = "ｏｒ";
export const google = "Ｃｏｎｔｉｎｕｅ ｗｉｔｈ Ｇｏｏｇｌｅ";
export const linkTitle = "Ｌｉｎｋ ｙｏｕｒ Ｇｏｏｇｌｅ ａｃｃｏｕｎｔ";
export const linkLead =
  "Ｔｈｉｓ Ｇｏｏｇｌｅ ａｄｄｒｅｓｓ ａｌｒｅａｄｙ ｈａｓ ａ ＳｅｃｏｎｄＲｉｎｇ ａｃｃｏｕｎｔ. Ｃｏｎｆｉｒｍ ｙｏｕｒ ｐａｓｓｗｏｒｄ ｏｎｃｅ ｔｏ ｌｉｎｋ ｔｈｅ ｔｗｏ; " +
  "ｆｒｏｍ ｔｈｅｎ ｏｎ ｅｉｔｈｅｒ ｗａｙ ｓｉｇｎｓ ｙｏｕ ｉｎ.";
export const linkConfirm = "Ｃｏｎｆｉｒｍ ａｎｄ ｌｉｎｋ";

/** Why a sign-in with Google failed. */
export const googleFailed = "Ｔｈｅ ｓｉｇｎ-ｉｎ ｗｉｔｈ Ｇｏｏｇｌｅ ｆａｉｌｅｄ. Ｐｌｅａｓｅ ｔｒｙ ａｇａｉｎ.";
export const googleDenied = "Ｙｏｕ ｄｉｄ ｎｏｔ ｓｉｇｎ ｉｎ ｗｉｔｈ Ｇｏｏｇｌｅ. Ｔｒｙ ａｇａｉｎ, ｏｒ ｕｓｅ ｙｏｕｒ ｐａｓｓｗｏｒｄ.";
export const googleExpired = "Ｔｈｅ ｓｉｇｎ-ｉｎ ｗｉｔｈ Ｇｏｏｇｌｅ ｔｏｏｋ ｔｏｏ ｌｏｎｇ. Ｐｌｅａｓｅ ｔｒｙ ａｇａｉｎ.";
export const googleUnverified =
  "Ｇｏｏｇｌｅ ｈａｓ ｎｏｔ ｖｅｒｉｆｉｅｄ ｔｈｉｓ ａｄｄｒｅｓｓ ｙｅｔ. Ｖｅｒｉｆｙ ｉｔ ｔｈｅｒｅ, ｏｒ ｕｓｅ ａ ｐａｓｓｗｏｒｄ ｈｅｒｅ.";
export const googleUnavailable = "Ｇｏｏｇｌｅ ｃａｎ'ｔ ｂｅ ｒｅａｃｈｅｄ ｒｉｇｈｔ ｎｏｗ. Ｐｌｅａｓｅ ｔｒｙ ａｇａｉｎ, ｏｒ ｕｓｅ ｙｏｕｒ ｐａｓｓｗｏｒｄ.";
export const googleOther = "Ａｎｏｔｈｅｒ Ｇｏｏｇｌｅ ａｃｃｏｕｎｔ ｉｓ ｌｉｎｋｅｄ ｔｏ ｔｈｉｓ ａｄｄｒｅｓｓ ｈｅｒｅ.";
export const accountRemoved = "Ｔｈｉｓ ａｃｃｏｕｎｔ ｗａｓ ｒｅｍｏｖｅｄ ｂｙ ａｎ ａｄｍｉｎ.";

export const demoLogins = "Ｄｅｍｏ ｌｏｇｉｎｓ: ｔａｐ ｏｎｅ ｔｏ ｆｉｌｌ ｔｈｅ ｆｏｒｍ";
/** The demo's people. */
export const demoAdmin = "Ａｄｍｉｎ";
export const demoSellerVerified = "Ｖｅｒｉｆｉｅｄ ｓｅｌｌｅｒ";
export const demoSeller = "Ｓｅｌｌｅｒ";
export const demoBuyer = "Ｂｕｙｅｒ";
export const demoBuyer2 = "Ｓｅｃｏｎｄ ｂｕｙｅｒ";

export const serverNotTold = "Ｓｉｇｎｅｄ ｏｕｔ ｈｅｒｅ, ｂｕｔ ｔｈｅ ｓｅｒｖｅｒ ｃｏｕｌｄ ｎｏｔ ｂｅ ｔｏｌｄ. Ｐｌｅａｓｅ ｔｒｙ ａｇａｉｎ ｌａｔｅｒ.";
