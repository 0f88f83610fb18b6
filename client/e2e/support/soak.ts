/** The tag of tests that `make soak` runs and `make test` leaves out, because there are many alike. */
export const SOAK = "@soak";
