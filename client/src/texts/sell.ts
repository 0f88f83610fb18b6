/** The way to selling, on Home and where only sellers may be. */
export const question = "Got a phone you no longer use?";
export const lead = "Add a photo, a price and your location. Buyers see your phone as soon as you list it.";
export const add = "Add a product";
/** A link on a seller's own phone. */
export const listAnother = "List another like this";
export const listAnotherOf = (name: string) => `List another like this: ${name}`;
/** To a buyer who wants to sell. */
export const oneStep =
  "You can sell with this account, too. Your orders and everything else stay as they are.";
export const startSelling = "Start selling";
export const isSeller = "You can list your first phone now";
