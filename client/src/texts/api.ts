/** Messages for errors without a message of the server. */
export const unreachable = "The server can't be reached. Check your connection and try again.";
export const serverError = "Something went wrong on our side. Please try again.";
