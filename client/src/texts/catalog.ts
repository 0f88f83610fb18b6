import { clock, number } from "./language";

export { payFor } from "./payFor";
export { allBrands as brands } from "./screenNames";

// The specification's words.
export const advertised = "Advertised Items";
export const view = "View";
export const bookNow = "Book Now";
export const booked = "Booked";
export const pay = "Pay";
export const report = "Report To Admin";

export const brandsLead = "Choose a brand to see all its phones for sale.";
export const loadingPhone = "Loading the phone";

/** What is advertised, on Home. */
export const advertisedFailed = "The advertised items could not be loaded.";
export const advertisedNone = "Nothing is advertised right now";
export const advertisedNoneHint = "Newly advertised phones appear here automatically.";
export const advertisedLoading = "Loading advertised items";
export const advertisedLive = "Everything here is available right now.";
/** In place of it while there is no live connection. */
export const advertisedBefore = "Everything here was available a moment ago.";
export const advertisedRemoved = "No longer available.";
export const bestPrice = "Best price";
/** A phone's condition, and how long it was used: the seller's own words, as "2 years". */
export const usedFor = (condition: string, time: string) => `${condition}, used ${time}`;

/** A phone, on its card and on its own page. */
export const resalePrice = "Resale price";
export const originalPrice = "Original price";
export const saving = "Saving";
export const save = (percent: number) => `Save ${number(percent)}%`;
export const brand = "Brand";
export const condition = "Condition";
export const colour = "Colour";
export const storage = "Storage";
/** A phone's storage: 128 as "128 GB", 1024 as "1 TB". */
export const gigabytes = (size: number) =>
  size % 1024 === 0 ? `${number(size / 1024)} TB` : `${number(size)} GB`;
export const usedTime = "Year of use";
/** On a card; the time is the seller's own words, as "2 years". */
export const used = (time: string) => `Used ${time}`;
export const posted = "Listed";
export const seller = "Seller";
export const verified = "Verified";
/** What the badge means. */
export const sellerChecked = "Checked by SecondRing";
export const location = "Location";
export const phone = "Phone";
export const email = "Email";
/** Read out before the way to reach a seller. */
export const labelled = (label: string) => `${label}: `;
/** On the buyer's own phone, after Booked and before the time until which it can be paid. */
export const forYouUntil = "for you until";
export const yoursPaid = "Yours, paid";
/** Where only buyers may do it. */
export const notForAdmins = "Admins cannot book phones";
/** From when a buyer may book a phone again. */
export const bookAgainAt = (time: string) => `from ${clock(new Date(time))}`;
/** In the place of Book Now on a seller's own phone. */
export const editOwn = "Edit this phone";
/** In the place of Book Now. */
export const notForSale = "No longer for sale";

/** Its photographs. */
export const photographs = "Photos";
export const photograph = "Photo";
export const photographOf = (name: string) => `Photo of ${name}`;
export const photographNumber = (place: number, name: string) => `Photo ${number(place)} of ${name}`;
export const placeOf = (place: number, all: number) => `Photo ${number(place)} of ${number(all)}`;
export const previous = "Previous photo";
export const next = "Next photo";
/** Opens a photo as large as the window, and what can be done there. */
export const enlarge = "Enlarge photo";
export const zoomIn = "Zoom in";
export const zoomOut = "Zoom out";
export const showPhotograph = (place: number) => `Show photo ${number(place)}`;

export const share = "Share";
export const copied = "Link copied";
export const notCopied = "The link could not be copied";

/** Other phones of its brand. */
export const moreFrom = (brand: string) => `More from ${brand}`;
export const allOf = (brand: string) => `All ${brand} phones`;
export const noOther = "No other phones of this brand are available right now.";
export const sameSeller = "Same seller";
export const unavailable = "Unavailable";
/** On the photo of a phone that is paid for, and of one that is held for its buyer. */
export const sold = "Sold";
export const onHold = "On hold";
export const justBooked = "Just booked";

/** The links for a brand or phone that does not exist. */
export const allBrands = "Browse all brands";
export const searchAll = "Search all phones";
