/** The texts of the report dialog. */
export const title = (phone: string) => `Report ${phone}`;
export const userName = "User Name";
export const email = "Email";
export const productName = "Product Name";
export const brand = "Brand";
export const reason = "Reason";
export const reasonRequired = "Reason is required";
export const rule = "What is it about? (optional)";
/** The choice of none. */
export const noRule = "Not chosen";
export const send = "Send report";
export const thanks = "Thanks for your response..We saved your report";
