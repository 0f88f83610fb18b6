/** Why a person is at the login or the sign-up: what they need an account for. */
export const logIn = (purpose: string) => `Log in to ${purpose}`;
export const signUp = (purpose: string) => `Sign up to ${purpose}`;

/** The purposes, as they follow "to". */
export const book = (phone: string) => `book ${phone}`;
export const wait = (phone: string) => `wait for ${phone}`;
export const watch = (phone: string) => `watch ${phone}`;
export const report = (phone: string) => `report ${phone}`;
/** In place of a phone's name that is not known. */
export const thisPhone = "this phone";
export const phonesOf = (brand: string) => `see ${brand} phones`;
export const phonesOfBrand = "see the phones of this brand";
export const contact = "see the seller's contact details";
export const dashboard = "see your dashboard";
export const orders = "see your orders";
export const watching = "see what you watch";
export const pay = "pay for your booking";
export const order = "see your order";
export const addProduct = "add a product";
export const products = "see your products";
export const editPhone = "edit your phone";
export const earnings = "see your earnings";
export const account = "see your account";
export const notifications = "see your notifications";
export const buyers = "see all buyers";
export const sellers = "see all sellers";
export const reports = "see the reported items";
export const cases = "see the cases";
export const decisions = "see the decisions about you";
export const auditTrail = "see the audit trail";
export const allOrders = "see all orders";
