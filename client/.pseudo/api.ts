/** Said where the server says nothing itself. */
export const unreachable = "Ｔｈｅ ｓｅｒｖｅｒ ｃａｎ'ｔ ｂｅ ｒｅａｃｈｅｄ. Ｃｈｅｃｋ ｙｏｕｒ ｃｏｎｎｅｃｔｉｏｎ ａｎｄ ｔｒｙ ａｇａｉｎ.";
export const unexplained = "Ｓｏｍｅｔｈｉｎｇ ｗｅｎｔ ｗｒｏｎｇ ｏｎ ｏｕｒ ｓｉｄｅ. Ｐｌｅａｓｅ ｔｒｙ ａｇａｉｎ.";
