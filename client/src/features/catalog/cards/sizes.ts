/** How wide a card's photograph is: a grid of one, two or three columns. */
export const CARD_SIZES = "(min-width: 64rem) 26rem, (min-width: 40rem) 46vw, 92vw";
