// The specification's words.
export const title = "Contact Us";
export const name = "Name";
export const email = "Email";
export const message = "Message";
export const send = "Send";
/** Where we are, as long as the settings say nothing else. */
export const place = "Dhaka, Bangladesh";

export const lead = "A question about a phone, an order or your account? Write to us; a person reads it.";
export const phone = "Phone";
export const location = "Location";

/** The form's own word on what it does; `address` is our e-mail address, as a link. */
export const sendsNothing = "This form does not send anything. Please write to {address}.";
/** The same where we have no e-mail address. */
export const sendsNothingAtAll = "This form does not send anything. Please use the details on this page.";
