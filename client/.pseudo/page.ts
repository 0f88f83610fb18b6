/** What the page says before any of our code runs: the title and description that search engines show, and without JavaScript. */
export const title = "ＳｅｃｏｎｄＲｉｎｇ";
export const description = "Ｓｅｌｌ ａｎｄ Ｂｕｙ Ｕｓｅｄ Ｐｈｏｎｅｓ: ａ ｌｉｖｅ ｍａｒｋｅｔｐｌａｃｅ ｆｏｒ ｕｓｅｄ ｐｈｏｎｅｓ.";
export const needsScript = "ＳｅｃｏｎｄＲｉｎｇ ｎｅｅｄｓ ＪａｖａＳｃｒｉｐｔ ｔｏ ｓｈｏｗ ｔｈｅ ｍａｒｋｅｔ.";
