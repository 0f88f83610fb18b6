/** Says at the first booking, and at the first phone for sale, that there will be emails. */
export const aboutBooking = "We email you about this booking and the order.";
export const aboutSale = "We email you when your phone is sold.";
export const change = "Change this in <link>Notifications</link>.";
export const confirmFirst = "For that, please open the link in the email that we have sent you.";
