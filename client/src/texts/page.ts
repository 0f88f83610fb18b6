/** What the page says before any of our code runs: the title and description that search engines show, and without JavaScript. */
export const title = "SecondRing";
export const description = "Sell and Buy Used Phones: a live marketplace for used phones.";
export const needsScript = "SecondRing needs JavaScript to show the market.";
