/** The way to selling, on Home and where only sellers may be. */
export const question = "Got a phone you no longer use?";
export const lead = "Add a photo, a price and your location. Buyers see your phone as soon as you list it.";
export const add = "Add a product";
/** To a signed-in buyer. */
export const needsSeller =
  "You are signed in as a buyer. To sell, you need a seller account with another email address.";
export const becomeSeller = "Sign out and sign up as a seller";
export const asSeller = "Sign out and continue as a seller";
