/** The tag of tests that run in `make soak` and not in `make test`. */
export const SOAK = "@soak";
