export { LiveProvider } from "./LiveProvider";
