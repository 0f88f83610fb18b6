/** About an email address that its owner has not confirmed yet. */
export const notConfirmed = "Email not confirmed";
export const useLink = "Please open the link in the email that we sent you.";
/** Where a confirmed address is required. */
export const neededTo =
  "Before you book or list a phone, please open the link in the email that we sent you.";
export const sendAgain = "Send the link again";
export const sent = (email: string) => `Please check your inbox at ${email}. Only the newest link works.`;
