import type { Sort } from "@/lib/productQuery";
import { gigabytes } from "./catalog";
import { list, number, plural } from "./language";

export { allProducts, findPhone as searchTitle } from "./screenNames";

/** The window's title of a brand's phones. */
export const phonesOf = (brand: string) => `${brand} phones`;

/** The search of the whole market. */
export const search = "Search";
/** The window's title of a search with words. */
export const searchFor = (text: string) => `Search: "${text}"`;
export const searchLead = "Search every brand and every seller.";

export const searchWords = "Search words";
/** Short enough for the field beside "Filters (2)" on a telephone. */
export const searchHint = "Model, brand…";
export const searchHintOfBrand = "Model, colour…";
export const sortBy = "Sort by";
export const sortLabels: Record<Sort, string> = {
  available: "Available first",
  newest: "Newest first",
  "price-up": "Lowest price first",
  "price-down": "Highest price first",
  saving: "Largest saving first",
};

/** Names the group of all filters. */
export const filterPhones = "Filter phones";
export const filters = "Filters";
/** The button that opens the filters on a narrow screen; `n` are active. */
export const filtersSet = (n: number) => (n > 0 ? `Filters (${number(n)})` : filters);
/** Opens the filters that have no control in the bar. */
export const moreFilters = "More";
export const clearFilters = "Clear filters";
export const showAll = "Show all phones";

export const brand = "Brand";
export const price = "Price";
export const priceFrom = "Price from";
export const priceTo = "Price to";
/** The errors of the two price fields when the lowest price is above the highest. */
export const atMost = (amount: string) => `Must be at most ${amount}`;
export const atLeast = (amount: string) => `Must be at least ${amount}`;
export const condition = "Condition";
export const storage = "Storage";
export const anyStorage = "Any storage";
export const storageOf = (size: number) => gigabytes(size);
export const storageFrom = (size: number) => `${gigabytes(size)} or more`;
export const colour = "Colour";
/** A colour as the label of a filter: "blue" as "Blue". */
export const colourOf = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
export const location = "Location";
export const locationHint = "Town or district";
export const showOnly = "Show only";
export const verifiedOnly = "Verified only";
export const availableOnly = "Available only";
export const notVerified = "Not verified";
export const booked = "Booked";

/** The active filters; each is a button that removes it. */
export const activeFilters = "Active filters";
export const removeFilter = (filter: string) => `Remove filter: ${filter}`;
export const from = (amount: string) => `From ${amount}`;
export const upTo = (amount: string) => `Up to ${amount}`;
/** The highest price, while it is below the lowest. */
export const upToNotApplied = (amount: string) => `Up to ${amount}: not applied`;
/** A price that can't be read. */
export const priceNotApplied = (typed: string) => `Price “${typed}”: not applied`;
export const inLocation = (place: string) => `In ${place}`;

/** The number of phones in a list. With filters the server counts up to `limit` only. */
export const count = (n: number) => plural(n, { one: "# phone", other: "# phones" });
export const countAvailable = (n: number) => `${number(n)} available`;
export const countOrMore = (limit: number) => `${number(limit)} phones or more`;
/** After that number. */
export const updatingLive = " · updating live";
/** In place of it while there is no live connection. */
export const notUpdating = " · not updating";
/** Read out after a search. */
export const phonesFound = (counted: string) => `${counted} found`;
/** Closes the filters on a phone. */
export const showResults = (counted: string) => `Show ${counted}`;
export const searching = "Searching…";
export const saveToHear = "Save this search, and you hear about it as soon as a phone matches.";
/** For visitors. */
export const logInToSave = "Log in to save this search, and you hear about it as soon as a phone matches.";
export const noMatch = "No matching phones";
export const noMatchHint =
  "You can also remove a word or a filter to see more phones. New matches appear here automatically.";
/** No phone has all words that were typed, and the server has let some go. */
export const searchedWithout = (words: readonly string[]) =>
  `No phone has all these words. Searched without ${list(words.map(searchedWords))}.`;
/** No phone matches the words that were typed, and the server has corrected them. */
export const corrected = ({ asked, searched }: { asked: string; searched: string }) =>
  `No phones match ${searchedWords(asked)}. Showing results for ${searchedWords(searched)}.`;
/** Both: words were corrected, and others were let go. */
export const correctedWithout = (made: { asked: string; searched: string; leftOut: readonly string[] }) =>
  `No phones match ${searchedWords(made.asked)}. Showing results for ${searchedWords(made.searched)}, without ${list(made.leftOut.map(searchedWords))}.`;
export const changeSearch = "Change the search";
export const searchedWords = (words: string) => `“${words}”`;
export const noPhonesOfBrand = "No phones of this brand yet";
export const noPhones = "No phones for sale yet";
export const newPhonesAppear = "New phones appear here automatically.";

export const loadingPhones = "Loading phones";
export const unknownBrand = "There is no such brand.";
export const phonesNotLoaded = (why: string) => `The phones could not be loaded. ${why}`;

/** In a list that changes while it is open. */
export const noLongerMatches = "No longer matches";
export const updateList = "Update the list";
export const notUpdated = "The list could not be updated.";
export const removedFromList = "This phone is no longer in this list.";
export const notForSale = "This phone is no longer for sale.";
