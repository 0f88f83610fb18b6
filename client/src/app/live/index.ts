export { LiveProvider } from "./LiveProvider";
export { LiveSign } from "./LiveSign";
