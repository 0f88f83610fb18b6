import { dollars } from "./money";

/** Under a sum that contains postage, in whole US dollars. */
export const inclPostage = (postage: number) => `incl. ${dollars(postage)} postage`;
