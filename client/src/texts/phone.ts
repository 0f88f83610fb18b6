export { phone as title } from "./screenNames";

/** A phone's own page. */
export const titleOf = (name: string, price: string) => `${name} for ${price}`;
export const noLongerForSale = "This phone is no longer for sale";
export const failed = (why: string) => `The phone could not be loaded. ${why}`;
export const loginForContact = "Log in to see phone, email and location";
export const description = "Description";
export const report = "Report To Admin";
export const removedWhileOpen = "It was removed while you were viewing it.";
export const sold = "This phone has been sold.";
export const held = "If the buyer doesn't pay in time, it will be available again.";
export const availableNotToAdmins = "Available. Admins cannot book phones.";
/** To its seller. */
export const availableOwn = "Available. This is your phone. When someone books it, you'll see it here.";
/** To the buyer who has bought it. */
export const yoursPaid = "You bought this phone. See your order for the seller's contact details.";
