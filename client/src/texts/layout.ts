// The specification's words.
export const home = "Home";
export const categories = "Categories";
export const dashboard = "Dashboard";
export const blog = "Blog";
export const contact = "Contact Us";
export const login = "Login";
export const signOut = "SignOut";
export const tagline = "Sell and Buy Used Phones";
export const selling = "Selling";
export const buying = "Buying";
export const marketing = "Marketing";
export const advertisement = "Advertisement";
export const copyright = "Copyright 2022 - All right reserved by SecondRing";
export const wentWrong = "Something went wrong";
export const allBrands = "All Smartphone Brands";
export const allProducts = "All Products";
export const myOrders = "My Orders";
export const allBuyers = "All Buyers";
export const allSellers = "All Sellers";
export const reportedItems = "Reported Items";
export const addProduct = "Add A Product";
export const myProducts = "My Products";

export const product = "SecondRing";
export const signUp = "Sign Up";
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
/** Headings in the footer. */
export const services = "Services";
export const pages = "Pages";

/** The window's title: of Home, and of any other screen. */
export const homeTitle = "SecondRing: Sell and Buy Used Phones";
export const titled = (screen: string) => `${screen} · SecondRing`;
export const forgot = "Forgot your password";
export const reset = "Choose a new password";
export const verify = "Confirm your email";
export const setup = "Set up";
export const secondFactor = "Two-step login";
export const phone = "Phone";
export const payment = "Payment";
export const editPhone = "Edit phone";
export const auditTrail = "Audit Trail";
export const orders = "Orders";
export const earnings = "Earnings";
export const watching = "Watching";
export const account = "Your account";
export const notifications = "Notifications";
export const notFound = "Not found";

export const waiting = "Waiting for the server";
export const screenNotLoaded = "This page could not be loaded. Check your connection and try again.";
export const roleUnknown = "We couldn't check what your account is allowed to do.";
export const forAdmins = "This page is for admins";
export const forBuyers = "This page is for buyers";
export const forSellers = "This page is for sellers";
export const chooseAnother = "Please choose another page from the menu.";

/** The search's screen. */
export const findPhone = "Find a phone";
/** The search that every screen has in its bar. */
export const search = "Search all phones";
export const order = "Order";
