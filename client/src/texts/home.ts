// The specification's words.
export const getStarted = "Get Started";
export const brands = "Smartphone Brands";
export const allBrands = "View All Brands";

/** The hero: what this is. */
export const tagline = "Sell and Buy Used Phones, live";
export const title = "Your used mobile phone still has a call to make";
export const lead =
  "Resell it to somebody who will use it, or find the one you need for less. " +
  "What you see is free: the moment a phone is booked, you see that too.";
export const browse = "Browse phones";

/** What is special here, in three lines. */
export const special = "What is special here";
export const live = "Live on every screen";
export const liveLead = "Two people never chase the same phone: a booking shows everywhere within a blink.";
export const named = "Sellers with a name";
export const namedLead = "Each card says who sells, where, and whether we have verified them.";
export const paid = "Booked, then paid by card";
export const paidLead =
  "A booking keeps the phone for you while you pay. Change your mind and it is free again.";

/** The invitation to sell. */
export const sell = "One lies in a drawer?";
export const sellLead =
  "A photograph, a price and where you are: it is on every buyer's screen the moment you press the button.";
export const sellPhone = "Sell a phone";
export const toDashboard = "Go to your dashboard";

/** The brands, and the phones beside the hero. */
export const brandsFailed = "The brands could not be loaded.";
export const noBrands = "No brands yet";
export const loadingBrands = "Loading brands";
export const justGone = "Just gone";
