export { contact as title } from "./screenNames";

// The specification's words.
export const name = "Name";
export const email = "Email";
export const message = "Message";
export const send = "Send";
/** Where we are, as long as the settings say nothing else. */
export const place = "Dhaka, Bangladesh";

export const lead = "A question about a phone, an order or your account? Write to us.";
export const phone = "Phone";
export const location = "Location";

/** Below the form; `{address}` is our email address, as a link. */
export const opensMail = "Send opens your email app with this message, addressed to {address}.";
/** The same after Send was pressed. */
export const mailOpened = "Your email app should have opened. If it didn't, please write to {address}.";
export const mailSubject = (name: string) => (name ? `Message from ${name}` : "Message from SecondRing");
/** Where we have no email address. */
export const sendsNothing = "This form does not send messages. Please use the contact details on this page.";
