// The specification's words.
export const blog = "Ｂｌｏｇ";
export const comingSoon = "Ｃｏｍｉｎｇ Ｓｏｏｎ...";
export const noSuchRoute = "Ｔｈｅ ｒｏｕｔｅ ｙｏｕ ａｒｅ ｓｅａｒｃｈｉｎｇ ｉｓ ｎｏｔ ａｖａｉｌａｂｌｅ!!!";
export const tryValidRoute = "Ｐｌｅａｓｅ ｔｒｙ ｆｏｒ ａ ｖａｌｉｄ ｒｏｕｔｅ!!!";

export const goHome = "Ｇｏ ｔｏ Ｈｏｍｅ";
