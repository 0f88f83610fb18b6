import { dollars } from "./money";

/** How a seller delivers a phone; postage in whole US dollars. */
interface Offer {
  delivers: "meet" | "send" | "both";
  postage: number;
}

export const delivery = "Delivery";

/** In one short line: "Meet in person, or sent for $12". On a card it is shorter. */
export function offerOf({ delivers, postage }: Offer, isShort = false): string {
  const meet = "Meet in person";
  if (delivers === "meet") return meet;
  const cost = postage > 0 ? `for ${dollars(postage)}` : "free of charge";
  return delivers === "send" ? `Sent ${cost}` : `${isShort ? "Meet" : meet}, or sent ${cost}`;
}
