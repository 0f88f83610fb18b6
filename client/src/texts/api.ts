/** Said where the server says nothing itself. */
export const unreachable = "The server can't be reached. Check your connection and try again.";
export const unexplained = "Something went wrong on our side. Please try again.";
