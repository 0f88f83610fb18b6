/** A phone's own page. */
export const title = "Phone";
export const titleOf = (name: string, price: string) => `${name} for ${price}`;
export const noLongerForSale = "This phone is no longer for sale";
export const missing = "This phone is not for sale any more";
export const failed = (why: string) => `The phone could not be loaded. ${why}`;
export const loginForContact = "Login to see phone, e-mail and location";
export const description = "Description";
export const report = "Report To Admin";
export const gone = "It has been taken off the market while you were looking at it.";
export const sold = "This phone has been paid for.";
export const held = "If its buyer does not pay in time, it is free again.";
export const visitor = "It is free. Login to book it.";
export const free = "It is free. Should somebody else book it, you see it here at once.";
