import { longDay } from "./dates";
import { plural } from "./language";

export { findPhone, watching as title } from "./screenNames";

// The heart button of a phone.
export const watch = "Watch";
export const watching = "Watching";
/** The name of the button, which is pressed or not. */
export const watchPhone = (phone: string) => `Watch ${phone}`;
/** After the login. */
export const nowWatched = (phone: string) => `You are watching ${phone}.`;

// The screen.
export const phones = "Phones";
export const phonesLoading = "Loading the phones that you watch";
export const phonesNotLoaded = (why: string) => `The phones could not be loaded. ${why}`;
export const noPhones = "You are not watching any phones";
export const noPhonesHint = "Tap the heart on a phone to keep it here, with its latest price.";
export const browse = "Browse the brands";
export const noLongerWatched = "You no longer watch this phone, or it is no longer for sale.";
export const count = (n: number) => plural(n, { one: "# phone", other: "# phones" });

export const searches = "Saved searches";
export const searchesLoading = "Loading your saved searches";
export const noSearches = "You have no saved searches";
export const noSearchesHint = "Search for a phone and press “Save this search” beside the results.";
export const deleteSearch = "Delete";
export const deleteSearchOf = (name: string) => `Delete the saved search ${name}`;
export const searchDeleted = "Saved search deleted";
export const savedOn = (time: string) => `Saved on ${longDay(time)}`;

// Beside the results of a search.
export const saveSearch = "Save this search";
export const saveTitle = "Save this search";
export const searchName = "Name";
export const save = "Save";
export const searchSaved = "Search saved";
export const seeSearches = "You'll find it under Watching.";
export const anyPhone = "My search";
