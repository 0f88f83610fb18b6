import { writePseudo } from "./pseudo.ts";

/** Before the tests that show the client in another language: writes that language. */
export default function setup(): void {
  writePseudo();
}
