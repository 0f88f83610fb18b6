import { dateFormat, money, number, plural } from "./language";

// The specification's words.
export const myProducts = "My Products";
export const myProductsCount = (count: number) => `My Products: ${number(count)}`;
export const columns = {
  name: "Product-Name",
  price: "Price",
  status: "Sales-status",
  advertise: "Advertise",
  remove: "Delete",
};
export const sold = "Sold";
export const available = "Available";
export const advertised = "Advertised";
export const advertise = "Advertise";
export const remove = "Delete";
export const addTitle = "Add A Product";
export const add = "Add Product";
export const added = "Product Added Successfully";
export const advertiseDone = "Advertise Successful";
export const removed = "Deleted Successfully";
export const removeQuestion = "Are you sure you want to delete this product?";

/** What the controls of the form are called; a message about a field says the same name. */
export const labels = {
  name: "Name",
  brand: "Brand",
  originalPrice: "Original Price",
  resalePrice: "Resale Price",
  productCondition: "Condition",
  usedTime: "Used Time",
  description: "Description",
  sellerName: "Seller Name",
  email: "Email",
  location: "Location",
  phone: "Phone",
  selling_post_date: "Date",
  image: "Image",
};
export const isRequired = (label: string) => `${label} is required`;
export const priceMissing = "Price is required";
export const priceWrong = "Price must be a whole number of dollars from 1 to 100,000";

// The form.
export const chooseBrand = "Choose a brand";
export const chooseCondition = "Choose a condition";
export const dollar = "$";
export const usedTimeExample = "2 years";
export const usedTimes = ["6 months", "1 year", "18 months", "2 years", "3 years", "4 years"];
export const dateHint = "The posting date on the card";
export const descriptionHint = "What a buyer would ask: scratches, battery, what comes with it";
/** What the two prices come to, as buyers will see it. */
export const savingOf = (saved: number, percent: number) =>
  `Buyers see: save ${money(saved)}, ${number(percent)}% less than new`;
export const noSaving = "Buyers see no saving: the resale price is not below the original one";
export const savingLater = "Both prices together show buyers what they save";
export const keptDraft = "What you had typed is still here.";
export const startAnew = "Start anew";
/** A field that the server complains about and the form has no control for. */
export const complaint = (field: string, what: string) => `${field}: ${what}`;

// Photographs.
export const photographs = "Photographs";
export const photosHint = (most: number) =>
  `Up to ${number(most)}: drop them here, paste them, or pick them. JPEG, PNG or WebP, up to 10 MB each`;
export const dropNow = "Drop the photographs here";
export const surplus = (most: number, left: number) =>
  `A phone has up to ${number(most)} photographs: ${number(left)} left out`;
export const chosenPhotos = "Chosen photographs";
export const photoName = (place: number) => `Photograph ${number(place)}`;
export const photoPlace = (place: number, count: number) => `Photograph ${number(place)} of ${number(count)}`;
export const onTheCard = "On the card";
export const photoShows = (place: number) => `What photograph ${number(place)} shows`;
export const photoShowsExample = "The back, with one scratch";
export const moveForward = (place: number) => `Move photograph ${number(place)} forward`;
export const moveBack = (place: number) => `Move photograph ${number(place)} back`;
export const removePhoto = (place: number) => `Remove photograph ${number(place)}`;
export const dragPhoto = "Drag to another place";
export const stopSending = (place: number) => `Stop sending photograph ${number(place)}`;
export const sendAgain = (place: number) => `Send photograph ${number(place)} again`;
export const stop = "Stop";
export const again = "Send again";

// How far a photograph has come.
export const sendingOf = (what: string) => `Sending ${what}`;
export const waiting = "Waiting for its turn";
const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
export const sentOf = (sent: number, total: number) =>
  `${number(Math.floor((100 * sent) / Math.max(total, 1)))}% of ${megabytes(total)} MB`;
export const sending = "Sending…";
export const developing = "Sent. Being made ready…";
export const there = "Sent";
export const stopped = "Stopped";
export const refused = "Not taken";
export const failed = "Not sent";
export const photoThere = (what: string) => `${what} has been sent`;
export const notAllThere = (count: number) =>
  plural(count, {
    one: "# photograph is not there yet: send it again, or remove it",
    other: "# photographs are not there yet: send them again, or remove them",
  });

/** What to do about a photograph that did not get there, by the host's status; "" where its own words do. */
export function adviceOf(status: number): string {
  if (status === 0) return "The connection broke. It is sent again by itself once you are online.";
  if (status === 401) return "Your session has ended. Log in again; what you typed stays here.";
  if (status === 408) return "Nothing got through for a minute. Send it again where the line is better.";
  if (status === 413) return "It is over 10 MB. Make it smaller, or choose another one.";
  if (status === 415) return "It is no JPEG, PNG or WebP. Save it as one of these and choose it again.";
  if (status === 422) return "Choose another one.";
  if (status === 429) return "That was a lot at once. Wait a moment and send it again.";
  return "Send it again in a moment.";
}
/** Statuses of which our advice says all; beside others stand the host's words. */
export const saysAll = (status: number) => [0, 401, 408, 413, 415, 429].includes(status);

// My Products.
export const tableCaption = "My products";
export const empty = "You have no phones listed";
export const emptyHint = "<link>Add your first one</link> and it shows up under its brand at once.";
/** Beside a name that leads to where the phone is changed. */
export const editWhich = (name: string) => `Edit ${name}`;
export const removeWhich = (name: string) => `Delete ${name}`;
export const leavesAtOnce = "{name} leaves the market at once.";
export const changePriceOf = (name: string) => `Change the price of ${name}`;
export const priceOf = (name: string) => `Price of ${name}`;
export const change = "Change";
export const save = "Save";
export const priceHint = "Whole US dollars";
export const priceChanged = "Price Changed";
export const advertisingOff = "Advertising is switched off here";
export const getVerified = "Get verified by an admin to advertise";
export const bookedNotAdvertised = "A booked phone can't be advertised";
/** What the line above the table says where the seller may advertise. */
export const mayAdvertise = "An advertised phone stands on everybody's Home until it is booked.";
const moment = dateFormat({
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
export const heldUntil = (when: string) => `Held until ${moment(new Date(when))}`;
export const held = "Held, not paid yet";
export const paid = "Paid";
export const paidBy = (name: string) => `Paid by ${name}`;

// Changing a phone.
/** On its own page, for its seller. */
export const editOwn = "Edit this phone";
export const editTitle = (name: string) => `Edit ${name}`;
export const backToList = "Back to My Products";
export const saveChanges = "Save changes";
export const saved = "Changes Saved";
export const nothingChanged = "Nothing was changed";
export const discard = "Discard";
export const loadFailed = (why: string) => `The phone could not be loaded. ${why}`;
export const notForSale = "This phone is not for sale any more";
export const notYours = "This phone is somebody else's";
export const notYoursHint = "Only its seller can change it.";
/** How the phone stands while it is being changed; two lines have room. */
export const standing = {
  free: "It is free. What you save is on every open screen at once.",
  booked:
    "It has been booked and can't be changed now. What you typed stays here; should the hold end, you can save it.",
  sold: "It is sold and can't be changed any more.",
  gone: "It has been taken off the market. There is nothing left to change.",
};
export const changedElsewhere = "Changed elsewhere while you were typing";
export const contested = (label: string, now: string) => `${label} is now “${now}”.`;
export const contestedPhotos = "Other photographs were saved.";
export const takeThat = (label: string) => `Take that for ${label}`;
export const elseYours = "What you leave as it is here replaces it when you save.";
