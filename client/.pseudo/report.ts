/** What the report dialog says. */
export const title = (phone: string) => `Ｒｅｐｏｒｔ ${phone}`;
export const userName = "Ｕｓｅｒ Ｎａｍｅ";
export const email = "Ｅｍａｉｌ";
export const productName = "Ｐｒｏｄｕｃｔ Ｎａｍｅ";
export const brand = "Ｂｒａｎｄ";
export const reason = "Ｒｅａｓｏｎ";
export const reasonRequired = "Ｒｅａｓｏｎ ｉｓ ｒｅｑｕｉｒｅｄ";
export const send = "Ｓｅｎｄ ｒｅｐｏｒｔ";
export const thanks = "Ｔｈａｎｋｓ ｆｏｒ ｙｏｕｒ ｒｅｓｐｏｎｓｅ..Ｗｅ ｓａｖｅｄ ｙｏｕｒ ｒｅｐｏｒｔ";
