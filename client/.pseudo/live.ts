import { plural } from "./language";

/** The name of the sign. */
export const sign = "Ｌｉｖｅ ｕｐｄａｔｅｓ";
/** The quiet sign at the page's edge, by how the live connection stands. */
export const offline = "Ｙｏｕ ａｒｅ ｏｆｆｌｉｎｅ. Ｗｈａｔ ｙｏｕ ｓｅｅ ｍａｙ ｂｅ ｏｌｄ.";
export const connecting = "Ｌｉｖｅ ｕｐｄａｔｅｓ ａｒｅ ｏｎ ｔｈｅｉｒ ｗａｙ";
export const away = "Ｌｉｖｅ ｕｐｄａｔｅｓ ａｒｅ ａｗａｙ, ｔｒｙｉｎｇ ａｇａｉｎ";
export const stopped = "Ｌｉｖｅ ｕｐｄａｔｅｓ ｈａｖｅ ｓｔｏｐｐｅｄ: ｒｅｌｏａｄ ｔｈｅ ｐａｇｅ ｔｏ ｇｅｔ ｔｈｅｍ ｂａｃｋ";
export const back = "Ｌｉｖｅ ｕｐｄａｔｅｓ ａｒｅ ｂａｃｋ, ａｌｌ ｉｓ ｕｐ ｔｏ ｄａｔｅ";

/** Read out when something changes by itself; `name` is the phone's or the person's. */
export const booked = (name: string) => `${name} ｗａｓ ｊｕｓｔ ｂｏｏｋｅｄ`;
export const released = (name: string) => `${name} ｉｓ ａｖａｉｌａｂｌｅ ａｇａｉｎ`;
export const added = (name: string) => `${name} ｗａｓ ｊｕｓｔ ｌｉｓｔｅｄ`;
export const verified = "Ｙｏｕ ａｒｅ ａ ｖｅｒｉｆｉｅｄ ｓｅｌｌｅｒ ｎｏｗ";
export const reported = (name: string) => `${name} ｗａｓ ｊｕｓｔ ｒｅｐｏｒｔｅｄ`;
export const joined = (name: string) => `${name} ｈａｓ ｊｕｓｔ ｊｏｉｎｅｄ`;
/** In place of a name that we do not know. */
export const anEntry = "Ａｎ ｅｎｔｒｙ";
/** In place of several such sentences. */
export const phonesChanged = (count: number) =>
  plural(count, { one: "# ｐｈｏｎｅ ｃｈａｎｇｅｄ", other: "# ｐｈｏｎｅｓ ｃｈａｎｇｅｄ" });
export const entriesChanged = (count: number) =>
  plural(count, { one: "# ｅｎｔｒｙ ｃｈａｎｇｅｄ", other: "# ｅｎｔｒｉｅｓ ｃｈａｎｇｅｄ" });
