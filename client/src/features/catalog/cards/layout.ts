/** A grid of cards: one column on the narrowest screens, else two, three or four. */
export const CARD_COLUMNS =
  "grid gap-2.5 sm:gap-4 min-[22.5rem]:grid-cols-2 md:grid-cols-3 min-[96rem]:grid-cols-4";

/**
 * The shape of a card's photo. On a wide screen it is only as high as leaves the price and the button of the first row
 * in the window.
 */
export const CARD_PHOTO = "w-full aspect-square sm:aspect-4/3 lg:max-h-[calc(100vh-30rem)] lg:min-h-40";

/** The position of the watch button: in the corner of a card's photo. */
export const HEART_PLACE = "absolute end-2 top-2 max-sm:end-1 max-sm:top-1 max-sm:size-9";

/** How wide a card's photo is, as `sizes`. */
export const CARD_SIZES =
  "(min-width: 96rem) 19rem, (min-width: 80rem) 26rem, (min-width: 48rem) 31vw, (min-width: 22.5rem) 46vw, 92vw";
