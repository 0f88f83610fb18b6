export { account as title } from "./screenNames";

/** The person's name, and what forms begin with. */
export const profileTitle = "Your details";
export const choosePhoto = "Choose a photo";
export const changePhoto = "Change photo";
export const removePhoto = "Remove photo";
export const photoHint = "Only you see it.";
export const photoSaved = "Your photo is saved";
export const photoRemoved = "Your photo is removed";
export const name = "Name";
export const nameRequired = "Name is required";
export const nameHint = "A new name ends the Verified badge, until an admin has checked you again.";
export const phone = "Phone number";
export const location = "Location";
export const reachHint = "Forms begin with this number and this location. Only you see them here.";
export const saveProfile = "Save";
export const profileSaved = "Your details are saved";

export const yourData = "Your data";
/** The label of each number. */
export const phones = "Phones";
export const orders = "Orders";
export const waitlist = "Phones you are waiting for";
export const payments = "Payments";
export const reports = "Reports you made";
export const adminActions = "Admin actions about you";
/** `{email}` is the account's address. */
export const since = "{email}, since {day}";
export const download = "Download my data";
/** The link to what admins have decided about the person. */
export const decisions = "Decisions about you";
export const downloadHint = "Everything we store about you, in one JSON file. Your password is not included.";

/** The browsers with a session of the user. */
export const sessions = "Where you're signed in";
export const thisDevice = "This device";
export const unknownDevice = "Unknown device";
export const signedInOn = (day: string) => `Signed in since ${day}`;
export const signedInFrom = (day: string, network: string) => `Signed in since ${day}, from ${network}`;
export const lastUsed = (time: string) => `Last used ${time}`;
export const onlyHere = "You are not signed in anywhere else.";
export const signOut = "Sign out";
export const signOutDevice = (device: string) => `Sign out ${device}`;
export const signedOut = (device: string) => `${device} has been signed out.`;
export const signOutOthers = "Sign out everywhere else";
export const othersSignedOut = "Your other devices have been signed out.";

export const emailTitle = "Email";
export const emailLead = (email: string) => `You log in with ${email}.`;
export const changeEmail = "Change email";
export const newEmail = "New email";
export const emailRequired = "Email Address is required";
export const sendLink = "Send link";
/** The new address is used after its owner has opened the link. */
export const emailLinkSent = (email: string) =>
  `We've sent a link to ${email}. Open it within 24 hours to use this address. Until then nothing changes.`;

export const passwordTitle = "Password";
export const passwordLead = "A new password signs you out on all other devices.";
export const noPassword =
  "You log in with Google. With a password you can also log in with your email address. Setting one signs you out on all other devices.";
export const changePassword = "Change password";
export const setPassword = "Set a password";
export const currentPassword = "Current password";
export const newPassword = "New password";
export const savePassword = "Save password";
export const cancel = "Cancel";
export const passwordChanged = "Your password has been changed.";
export const passwordSet = "Your password has been set.";
export const passwordRequired = "Password is required";
export const passwordShort = "Password must be atleast 6 characters or longer";

export const googleTitle = "Google";
export const googleLead = "You can also log in with Google. Unlinking it signs you out on all other devices.";
export const googleOnly = "You log in with Google. Set a password first, if you want to unlink it.";
export const addressTitle = "Postal address";
export const addressLead = "It is filled in when you order a phone that is sent to you.";
export const forgetAddress = "Forget this address";
export const addressForgotten = "The address is forgotten";
export const unlinkGoogle = "Unlink Google";
export const googleUnlinked = "Google is not linked to your account any more.";

export const deleteAccount = "Delete your account";
export const deleteEndsSessions =
  "You will be signed out everywhere, and your unpaid bookings will be cancelled.";
export const deleteRemovesPhones = "Your unsold phones will be removed.";
export const deleteKeepsOrders =
  "Paid orders are kept for our records without your name, address and phone number. The payment provider keeps what the law requires.";
export const deleteIsFinal = "This can't be undone, but you can sign up again.";
export const password = "Password";
export const passwordHint = "To confirm that it's you";
export const confirm = "Email";
export const confirmHint = "Type your email address to confirm";
export const deleteNow = "Delete my account";
export const deleted = "Your account has been deleted.";
export const adminNotDeletable =
  "An admin account can't be deleted. Ask the operator to remove your admin role first.";
