import { splitWords } from "./tokenize";

/** The words for basic colours, as on the server (market/search/colours.go). The first ones are those of most phones. */
export const COLOURS =
  "black white grey silver gold blue green red purple pink yellow golden gray violet orange brown beige cream coral bronze copper rose lilac lavender mint navy cyan teal turquoise graphite midnight plum lime wine ivory olive burgundy maroon".split(
    " ",
  );

const SPELLINGS: Record<string, string> = { gray: "grey", golden: "gold" };
const spelled = (word: string) => SPELLINGS[word] ?? word;

/** The form of a colour that is compared: "Space Gray" and "space-grey" are the same. */
export const colourKey = (colour: string) => splitWords(colour).map(spelled).join("");

/**
 * The colours of a phone that a filter is compared with: the field, and the basic colours in it, in brand and name. If
 * the field has no basic colour, those in the description count too.
 */
export function coloursOf(phone: { colour?: string; brand: string; name: string; description: string }) {
  const basic = (text: string) => splitWords(text).filter((word) => COLOURS.includes(word));
  const { colour = "" } = phone;
  const own = basic(colour);
  const other = own.length > 0 ? own : basic(phone.description);
  return [colourKey(colour), ...[...other, ...basic(`${phone.brand} ${phone.name}`)].map(spelled)];
}
