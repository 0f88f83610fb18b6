import { gigabytes } from "./catalog";
import { conditionMeans } from "./condition";
import { minuteOfYear } from "./dates";
import { number, plural } from "./language";
import { dollars } from "./money";

export { addProduct as addTitle, myProducts } from "./screenNames";
export { chosenPhotos, dropNow, photoName, photosNotUploaded, removePhoto } from "./uploads";

// The specification's texts.
export const myProductsCount = (count: number) => `My Products: ${number(count)}`;
export const columns = {
  name: "Product-Name",
  price: "Price",
  status: "Sales-status",
  advertise: "Advertise",
  deletion: "Delete",
};
export { refunded } from "./orderStatus";

export const sold = "Sold";
export const available = "Available";
export const advertised = "Advertised";
export const advertise = "Advertise";
export const deleteLabel = "Delete";
/** The link to the conversations about a phone, with their offers. */
export const offers = "Offers";
export const offersFor = (phone: string) => `Offers for ${phone}`;
export const add = "Add Product";
export const added = "Product Added Successfully";
export const advertiseDone = "Advertise Successful";
export const deleted = "Deleted Successfully";
export const deleteQuestion = "Are you sure you want to delete this product?";

/** Who will see the number, by the setting CONTACT. */
export const whoSeesNumber = {
  shown: "Everybody who is signed in sees it.",
  "after-payment": "Only the buyer sees it, once they have paid.",
};

/** The labels of the form's controls; messages about a field use the same name. */
export const labels = {
  name: "Name",
  brand: "Brand",
  originalPrice: "Original Price",
  resalePrice: "Resale Price",
  storage: "Storage",
  colour: "Colour",
  productCondition: "Condition",
  usedTime: "Used Time",
  description: "Description",
  delivers: "How can the buyer get it?",
  postage: "Postage",
  sellerName: "Seller Name",
  email: "Email",
  location: "Location",
  phone: "Phone",
  offers: "Take offers",
  selling_post_date: "Date",
  image: "Image",
};
export const isRequired = (label: string) => `${label} is required`;
export const priceMissing = "Price is required";
export const postageWrong = "Postage must be a whole number of dollars from 0 to 200";
export const dateWrong = "Date must be from 1 January 2000 to tomorrow";

// The form.
export const chooseBrand = "Choose a brand";
/** What the chosen condition means. */
export const conditionHint = (condition: "" | keyof typeof conditionMeans) =>
  condition ? conditionMeans[condition] : "What a buyer sees at arm's length";
export const chooseCondition = "Choose a condition";
export const storageNotSpecified = "Not specified";
export { gigabytes };
export const dollar = "$";
export const colourExample = "Midnight blue";
export const usedTimeExample = "2 years";
export const usedTimes = ["6 months", "1 year", "18 months", "2 years", "3 years", "4 years"];
/** In sentences, in place of the question. */
export const delivery = "Delivery";
export const deliveries = { meet: "Meet in person", send: "Send it", both: "Both" };
export const postageNote = "The buyer pays it with the price. 0 means free postage.";
export const offersHint = "Buyers can offer a lower price, from half of yours. You decide about each.";
/** A saved value, in a sentence. */
export const offersTaken = { true: "Yes", false: "No" };
export const dateHint = "The posting date on the card";
export const descriptionHint = "What a buyer would ask: scratches, battery, what comes with it";
/** The saving, as buyers see it. */
export const savingOf = (saved: number, percent: number) =>
  `Buyers see: save ${dollars(saved)}, ${number(percent)}% less than new`;
export const noSaving = "Buyers see no saving: the resale price is not below the original price";
export const savingUnknown = "Enter both prices to see what buyers save";
interface Listed {
  /** Whole dollars. */
  lowest: number;
  highest: number;
  count: number;
  /** Gigabytes; 0 if the phones are of every storage. */
  storage: number;
}
/** What phones of the same name, or of the same name and storage, cost here. */
export const listedHere = ({ lowest, highest, count, storage }: Listed) => {
  const phones = plural(count, { one: "# phone", other: "# phones" });
  const prices = lowest === highest ? dollars(lowest) : `${dollars(lowest)} to ${dollars(highest)}`;
  return `Listed here for ${prices} (${phones}${storage > 0 ? ` with ${gigabytes(storage)}` : ""})`;
};
export const more = "More";
/** Beside it: what is folded. */
export const moreFields = "Date, seller name, email and offers";
export const draftRestored = "Your draft has been restored.";
export const startOver = "Start over";
/** The server's error of a field that has no control. */
/** Above the button, when the server refuses fields that are marked. */
export const checkFields = "Please check the marked fields";

// Photos.
export const photos = "Photos";
export const photosHint = (max: number) =>
  `Up to ${number(max)}: pick them, drop them here, or paste them. The first one is the cover. JPEG, PNG or WebP; others and large ones are converted if this browser can read them`;
export const tooManyPhotos = (max: number, rejected: number) =>
  `A phone has up to ${number(max)} photos: ${number(rejected)} not added`;
export const photoPosition = (place: number, count: number) => `Photo ${number(place)} of ${number(count)}`;
export const coverPhoto = "Cover photo";
export const photoShows = (place: number) => `What photo ${number(place)} shows`;
export const photoShowsExample = "The back, with one scratch";
export const makeCover = (place: number) => `Make photo ${number(place)} the cover`;
export const moveForward = (place: number) => `Move photo ${number(place)} forward`;
export const moveBack = (place: number) => `Move photo ${number(place)} back`;
export const dragPhoto = "Drag to reorder";

// My Products.
export const show = "Show";
export const statusFilters = {
  all: "All phones",
  available: "Available",
  held: "Held for a buyer",
  sold: "Sold",
  refunded: "Refunded",
};
export const sortBy = "Sort by";
export const sortOrders = {
  newest: "Newest first",
  "price-up": "Lowest price first",
  "price-down": "Highest price first",
  name: "Name",
};
export const noneWithStatus = "No phones with this status";
export const showAll = "Show all phones";
/** The heading and the name of the second table. */
export const soldPhones = "Sold phones";
/** The same if the buyers of some have their money back. */
export const soldAndRefunded = "Sold and refunded phones";
/** The link to the phone's page. */
export const viewPage = "View page";
export const viewPageOf = (name: string) => `View page of ${name}`;
/** On a phone whose buyer has the money back. */
export const listAgain = "List again";
export const listAgainOf = (name: string) => `List ${name} again`;
export const heldNotDeleted = "A booked phone can't be deleted";
export const tableCaption = "My products";
export const empty = "You have no phones listed";
export const emptyHint = "<link>Add your first one</link> and it shows up under its brand at once.";
/** The tooltip of the link to the edit form. */
export const editPhone = (name: string) => `Edit ${name}`;
export const deletePhone = (name: string) => `Delete ${name}`;
export const deleteConsequence = "{name} will be removed at once.";
export const changePriceOf = (name: string) => `Change the price of ${name}`;
export const priceOf = (name: string) => `Price of ${name}`;
export const change = "Change";
export const save = "Save";
export const priceHint = "Whole US dollars";
export const priceChanged = "Price Changed";
export const stopAdvertising = "Stop advertising";
export const stopAdvertisingPhone = (name: string) => `Stop advertising ${name}`;
export const advertisingStopped = "Advertising Stopped";
export const advertisingOff = "Advertising is currently unavailable";
export const getVerified = "Get verified by an admin to advertise";
/** What it means to be verified, and how to get there: beside the line above, and on the dashboard. */
export const howToGetVerified = "How to get verified";
export const verifiedMeans =
  "A verified seller has shown us who they are. Buyers see a Verified badge on all their phones.";
export const writeTo = (address: string) => `Write to ${address}`;
export const verifiedSubject = "Get verified";
export const contactUs = "Contact us";
/** On the dashboard; at most two short lines. */
export const isVerified = "You are verified. Buyers see a badge on all your phones.";
export const isNotVerified = "You are not verified yet.";
export const bookedNotAdvertised = "A booked phone can't be advertised";
/** The note above the table if the seller may advertise. */
export const advertiseNote = "Advertised phones appear on the Home page until they are booked.";
/** Beside the specification's Sold, until the phone is paid. */
export const onHold = "On hold";
/** A link to the page of the order of a sold phone; its accessible name has the phone. */
export const seeOrder = "See order";
export const seeOrderOf = (phone: string) => `See order of ${phone}`;
export const heldUntil = (when: string) => `Held until ${minuteOfYear(when)}`;
export const held = "Held, not paid yet";
export const paid = "Paid";
export const paidBy = (name: string) => `Paid by ${name}`;

// Editing a phone.
export const editTitle = (name: string) => `Edit ${name}`;
export const backToList = "Back to My Products";
export const saveChanges = "Save changes";
export const saved = "Changes Saved";
export const nothingChanged = "There are no changes to save";
export const discard = "Discard";
export const loadFailed = (why: string) => `The phone could not be loaded. ${why}`;
export const notForSale = "This phone is no longer for sale";
export const notYours = "This phone belongs to another seller";
export const notYoursHint = "Only its seller can edit it.";
/** The state of the phone while it is edited; at most two lines. */
export const editStatus = {
  available: "Available. Buyers see your changes as soon as you save.",
  booked:
    "It has been booked and can't be changed now. Your edits are kept; if the booking ends, you can save them.",
  sold: "It is sold and can no longer be changed.",
  removed: "It has been removed and can no longer be changed.",
};
export const changedElsewhere = "Changed elsewhere while you were editing";
export const savedValue = (label: string, now: string) => `${label} is now “${now}”.`;
export const photosSavedElsewhere = "Other photos were saved.";
export const acceptSaved = (label: string) => `Use the saved ${label}`;
export const conflictHint = "Otherwise your version replaces it when you save.";
