// The specification's words.
export const home = "Ｈｏｍｅ";
export const categories = "Ｃａｔｅｇｏｒｉｅｓ";
export const dashboard = "Ｄａｓｈｂｏａｒｄ";
export const blog = "Ｂｌｏｇ";
export const contact = "Ｃｏｎｔａｃｔ Ｕｓ";
export const login = "Ｌｏｇｉｎ";
export const signOut = "ＳｉｇｎＯｕｔ";
export const tagline = "Ｓｅｌｌ ａｎｄ Ｂｕｙ Ｕｓｅｄ Ｐｈｏｎｅｓ";
export const selling = "Ｓｅｌｌｉｎｇ";
export const buying = "Ｂｕｙｉｎｇ";
export const marketing = "Ｍａｒｋｅｔｉｎｇ";
export const advertisement = "Ａｄｖｅｒｔｉｓｅｍｅｎｔ";
export const copyright = "Ｃｏｐｙｒｉｇｈｔ 2022 - Ａｌｌ ｒｉｇｈｔ ｒｅｓｅｒｖｅｄ ｂｙ ＳｅｃｏｎｄＲｉｎｇ";
export const wentWrong = "Ｓｏｍｅｔｈｉｎｇ ｗｅｎｔ ｗｒｏｎｇ";
export const allBrands = "Ａｌｌ Ｓｍａｒｔｐｈｏｎｅ Ｂｒａｎｄｓ";
export const allProducts = "Ａｌｌ Ｐｒｏｄｕｃｔｓ";
export const myOrders = "Ｍｙ Ｏｒｄｅｒｓ";
export const allBuyers = "Ａｌｌ Ｂｕｙｅｒｓ";
export const allSellers = "Ａｌｌ Ｓｅｌｌｅｒｓ";
export const reportedItems = "Ｒｅｐｏｒｔｅｄ Ｉｔｅｍｓ";
export const addProduct = "Ａｄｄ Ａ Ｐｒｏｄｕｃｔ";
export const myProducts = "Ｍｙ Ｐｒｏｄｕｃｔｓ";

export const product = "ＳｅｃｏｎｄＲｉｎｇ";
export const signUp = "Ｓｉｇｎ Ｕｐ";
/** The way past the navigation bar, for the keyboard. */
export const skip = "Ｓｋｉｐ ｔｏ ｃｏｎｔｅｎｔ";
/** The navigation bar's name. */
export const mainMenu = "Ｍａｉｎ";
export const openMenu = "Ｏｐｅｎ ｍｅｎｕ";
export const closeMenu = "Ｃｌｏｓｅ ｍｅｎｕ";
export const lightTheme = "Ｕｓｅ ｔｈｅ ｌｉｇｈｔ ｔｈｅｍｅ";
export const darkTheme = "Ｕｓｅ ｔｈｅ ｄａｒｋ ｔｈｅｍｅ";
/** Headings in the footer. */
export const services = "Ｓｅｒｖｉｃｅｓ";
export const pages = "Ｐａｇｅｓ";

/** The window's title: of Home, and of any other screen. */
export const homeTitle = "ＳｅｃｏｎｄＲｉｎｇ: Ｓｅｌｌ ａｎｄ Ｂｕｙ Ｕｓｅｄ Ｐｈｏｎｅｓ";
export const titled = (screen: string) => `${screen} · ＳｅｃｏｎｄＲｉｎｇ`;
export const payment = "Ｐａｙｍｅｎｔ";
export const notFound = "Ｎｏｔ ｆｏｕｎｄ";

export const waiting = "Ｗａｉｔｉｎｇ ｆｏｒ ｔｈｅ ｓｅｒｖｅｒ";
export const roleUnknown = "Ｗｅ ｃｏｕｌｄ ｎｏｔ ｆｉｎｄ ｏｕｔ ｗｈａｔ ｙｏｕｒ ａｃｃｏｕｎｔ ｍａｙ ｄｏ.";
export const forAdmins = "Ｔｈｉｓ ｐａｇｅ ｉｓ ｆｏｒ ａｄｍｉｎｓ";
export const forBuyers = "Ｔｈｉｓ ｐａｇｅ ｉｓ ｆｏｒ ｂｕｙｅｒｓ";
export const forSellers = "Ｔｈｉｓ ｐａｇｅ ｉｓ ｆｏｒ ｓｅｌｌｅｒｓ";
export const chooseAnother = "Ｃｈｏｏｓｅ ａｎｏｔｈｅｒ ｏｎｅ ｆｒｏｍ ｔｈｅ ｍｅｎｕ.";

/** The search's screen. */
export const findPhone = "Ｆｉｎｄ ａ ｐｈｏｎｅ";
/** The search that every screen has in its bar. */
export const search = "Ｓｅａｒｃｈ ａｌｌ ｐｈｏｎｅｓ";
