export { account, blog, contact, dashboard, home, login, signUp } from "./screenNames";

// The specification's words.
export const categories = "Categories";
export const signOut = "SignOut";
export const tagline = "Sell and Buy Used Phones";
export const selling = "Selling";
export const buying = "Buying";
export const marketing = "Marketing";
export const advertisement = "Advertisement";
export const copyright = "Copyright 2022 - All right reserved by SecondRing";
export const wentWrong = "Something went wrong";

export const product = "SecondRing";
/** The skip link past the navigation bar, for the keyboard. */
export const skip = "Skip to content";
/** The navigation bar's name. */
export const mainMenu = "Main";
export const openMenu = "Open menu";
export const closeMenu = "Close menu";
export const accountMenu = (name: string) => `Account menu of ${name}`;
export const lightTheme = "Use the light theme";
export const darkTheme = "Use the dark theme";
/** The link to selling, in the footer and on Home. */
export const sellYours = "Sell your phone";
/** The names of the lists in the footer. */
export const services = "Services";
export const pages = "Pages";

/** The window's title: of Home, and of any other screen. */
export const homeTitle = "SecondRing: Sell and Buy Used Phones";
export const titled = (screen: string) => `${screen} · SecondRing`;

export const waiting = "Waiting for the server";
export const screenNotLoaded = "The page could not be loaded. Check your connection and try again.";
export const roleUnknown = "We couldn't check what your account is allowed to do.";
export const forAdmins = "This page is for admins";
export const notForModerators = "This page is for admins who handle orders";
export const forBuyers = "This page is for buyers and sellers";
export const forSellers = "This page is for sellers";
export const chooseAnother = "Please choose another page from the menu.";

/** The search that every screen has in its bar. */
export const search = "Search all phones";
