/** Why a session ended for its user. */
export const ended = "Ｙｏｕｒ ｓｅｓｓｉｏｎ ｈａｓ ｅｎｄｅｄ. Ｐｌｅａｓｅ ｌｏｇ ｉｎ ａｇａｉｎ.";
export const accountRemoved = "Ｙｏｕｒ ａｃｃｏｕｎｔ ｈａｓ ｂｅｅｎ ｒｅｍｏｖｅｄ.";
export const accountChanged = "Ｙｏｕｒ ａｃｃｏｕｎｔ ｈａｓ ｃｈａｎｇｅｄ. Ｐｌｅａｓｅ ｌｏｇ ｉｎ ａｇａｉｎ.";
