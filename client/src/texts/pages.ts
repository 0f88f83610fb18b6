export { blog } from "./screenNames";

// The specification's words.
export const comingSoon = "Coming Soon...";
export const noSuchRoute = "The route you are searching is not available!!!";
export const tryValidRoute = "Please try for a valid route!!!";

export const goHome = "Go to Home";
