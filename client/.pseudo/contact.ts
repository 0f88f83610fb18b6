// The specification's words.
export const title = "Ｃｏｎｔａｃｔ Ｕｓ";
export const name = "Ｎａｍｅ";
export const email = "Ｅｍａｉｌ";
export const message = "Ｍｅｓｓａｇｅ";
export const send = "Ｓｅｎｄ";
/** Where we are, as long as the settings say nothing else. */
export const place = "Ｄｈａｋａ, Ｂａｎｇｌａｄｅｓｈ";

export const lead = "Ａ ｑｕｅｓｔｉｏｎ ａｂｏｕｔ ａ ｐｈｏｎｅ, ａｎ ｏｒｄｅｒ ｏｒ ｙｏｕｒ ａｃｃｏｕｎｔ? Ｗｒｉｔｅ ｔｏ ｕｓ; ａ ｐｅｒｓｏｎ ｒｅａｄｓ ｉｔ.";
export const phone = "Ｐｈｏｎｅ";
export const location = "Ｌｏｃａｔｉｏｎ";

/** The form's own word on what it does; `address` is our e-mail address, as a link. */
export const sendsNothing = ".{address}Ｔｈｉｓ ｆｏｒｍ ｄｏｅｓ ｎｏｔ ｓｅｎｄ ａｎｙｔｈｉｎｇ. Ｐｌｅａｓｅ ｗｒｉｔｅ ｔｏ ";
/** The same where we have no e-mail address. */
export const sendsNothingAtAll = "Ｔｈｉｓ ｆｏｒｍ ｄｏｅｓ ｎｏｔ ｓｅｎｄ ａｎｙｔｈｉｎｇ. Ｐｌｅａｓｅ ｕｓｅ ｔｈｅ ｄｅｔａｉｌｓ ｏｎ ｔｈｉｓ ｐａｇｅ.";
