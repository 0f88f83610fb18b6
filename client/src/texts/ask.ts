/** On a card and a phone's page. */
export const ask = "Ask the seller";
export const makeOffer = "Make an offer";
