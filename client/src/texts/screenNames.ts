// The names of the screens: in menus, as headings and in the window's title.

// The specification's words.
export const home = "Home";
export const allBrands = "All Smartphone Brands";
export const allProducts = "All Products";
export const blog = "Blog";
export const contact = "Contact Us";
export const login = "Login";
export const signUp = "Sign Up";
export const dashboard = "Dashboard";
export const myOrders = "My Orders";
export const addProduct = "Add A Product";
export const myProducts = "My Products";
export const allBuyers = "All Buyers";
export const allSellers = "All Sellers";
export const reportedItems = "Reported Items";

// Not in the specification.
export const findPhone = "Find a phone";
export const phone = "Phone";
export const payment = "Payment";
export const order = "Order";
export const person = "Person";
export const editPhone = "Edit phone";
export const earnings = "Earnings";
export const orders = "Orders";
export const cases = "Cases";
export const case_ = "Case";
export const decisions = "Decisions";
export const appeal = "Ask us to look again";
export const auditTrail = "Audit Trail";
export const watching = "Watching";
export const notifications = "Notifications";
export const messages = "Messages";
export const account = "Your account";
export const forgotPassword = "Forgot your password?";
export const resetPassword = "Choose a new password";
export const confirmEmail = "Confirm your email";
export const setup = "Set up SecondRing";
export const secondFactor = "Two-step login";
export const notFound = "Not found";
