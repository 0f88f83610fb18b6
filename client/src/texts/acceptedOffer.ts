/** The banner over every screen of a buyer whose offer was accepted. */
export const accepted = "Your offer is accepted";
