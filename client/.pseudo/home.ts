// The specification's words.
export const getStarted = "Ｇｅｔ Ｓｔａｒｔｅｄ";
export const brands = "Ｓｍａｒｔｐｈｏｎｅ Ｂｒａｎｄｓ";
export const allBrands = "Ｖｉｅｗ Ａｌｌ Ｂｒａｎｄｓ";

/** The hero: what this is. */
export const tagline = "Ｓｅｌｌ ａｎｄ Ｂｕｙ Ｕｓｅｄ Ｐｈｏｎｅｓ, ｌｉｖｅ";
export const title = "Ｙｏｕｒ ｕｓｅｄ ｍｏｂｉｌｅ ｐｈｏｎｅ ｓｔｉｌｌ ｈａｓ ａ ｃａｌｌ ｔｏ ｍａｋｅ";
export const lead =
  "Ｒｅｓｅｌｌ ｉｔ ｔｏ ｓｏｍｅｂｏｄｙ ｗｈｏ ｗｉｌｌ ｕｓｅ ｉｔ, ｏｒ ｆｉｎｄ ｔｈｅ ｏｎｅ ｙｏｕ ｎｅｅｄ ｆｏｒ ｌｅｓｓ. " +
  "Ｗｈａｔ ｙｏｕ ｓｅｅ ｉｓ ｆｒｅｅ: ｔｈｅ ｍｏｍｅｎｔ ａ ｐｈｏｎｅ ｉｓ ｂｏｏｋｅｄ, ｙｏｕ ｓｅｅ ｔｈａｔ ｔｏｏ.";
export const browse = "Ｂｒｏｗｓｅ ｐｈｏｎｅｓ";

/** What is special here, in three lines. */
export const special = "Ｗｈａｔ ｉｓ ｓｐｅｃｉａｌ ｈｅｒｅ";
export const live = "Ｌｉｖｅ ｏｎ ｅｖｅｒｙ ｓｃｒｅｅｎ";
export const liveLead = "Ｔｗｏ ｐｅｏｐｌｅ ｎｅｖｅｒ ｃｈａｓｅ ｔｈｅ ｓａｍｅ ｐｈｏｎｅ: ａ ｂｏｏｋｉｎｇ ｓｈｏｗｓ ｅｖｅｒｙｗｈｅｒｅ ｗｉｔｈｉｎ ａ ｂｌｉｎｋ.";
export const named = "Ｓｅｌｌｅｒｓ ｗｉｔｈ ａ ｎａｍｅ";
export const namedLead = "Ｅａｃｈ ｃａｒｄ ｓａｙｓ ｗｈｏ ｓｅｌｌｓ, ｗｈｅｒｅ, ａｎｄ ｗｈｅｔｈｅｒ ｗｅ ｈａｖｅ ｖｅｒｉｆｉｅｄ ｔｈｅｍ.";
export const paid = "Ｂｏｏｋｅｄ, ｔｈｅｎ ｐａｉｄ ｂｙ ｃａｒｄ";
export const paidLead =
  "Ａ ｂｏｏｋｉｎｇ ｋｅｅｐｓ ｔｈｅ ｐｈｏｎｅ ｆｏｒ ｙｏｕ ｗｈｉｌｅ ｙｏｕ ｐａｙ. Ｃｈａｎｇｅ ｙｏｕｒ ｍｉｎｄ ａｎｄ ｉｔ ｉｓ ｆｒｅｅ ａｇａｉｎ.";

/** The invitation to sell. */
export const sell = "Ｏｎｅ ｌｉｅｓ ｉｎ ａ ｄｒａｗｅｒ?";
export const sellLead =
  "Ａ ｐｈｏｔｏｇｒａｐｈ, ａ ｐｒｉｃｅ ａｎｄ ｗｈｅｒｅ ｙｏｕ ａｒｅ: ｉｔ ｉｓ ｏｎ ｅｖｅｒｙ ｂｕｙｅｒ'ｓ ｓｃｒｅｅｎ ｔｈｅ ｍｏｍｅｎｔ ｙｏｕ ｐｒｅｓｓ ｔｈｅ ｂｕｔｔｏｎ.";
export const sellPhone = "Ｓｅｌｌ ａ ｐｈｏｎｅ";
export const toDashboard = "Ｇｏ ｔｏ ｙｏｕｒ ｄａｓｈｂｏａｒｄ";

/** The brands, and the phones beside the hero. */
export const brandsFailed = "Ｔｈｅ ｂｒａｎｄｓ ｃｏｕｌｄ ｎｏｔ ｂｅ ｌｏａｄｅｄ.";
export const noBrands = "Ｎｏ ｂｒａｎｄｓ ｙｅｔ";
export const loadingBrands = "Ｌｏａｄｉｎｇ ｂｒａｎｄｓ";
export const justGone = "Ｊｕｓｔ ｇｏｎｅ";
