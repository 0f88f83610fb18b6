/** The names in braces in a sentence: "address" of "Please write to {address}." */
export type Gaps<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Gaps<Rest>
  : never;

/** The names of the marks around words: "link" of "<link>Look through the brands</link> first." */
export type Marks<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | Marks<Rest>
  : never;

/** A part of a sentence: plain text, a placeholder, or marked text. */
export type Piece = { words: string } | { gap: string } | { mark: string; words: string };

/** Splits a sentence at its placeholders and marks, in the order of the text. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(/\{(\w+)\}|<(\w+)>(.*?)<\/\2>/g)) {
    const [whole, gap, mark = "", words = ""] = found;
    if (found.index > from) pieces.push({ words: text.slice(from, found.index) });
    pieces.push(gap === undefined ? { mark, words } : { gap });
    from = found.index + whole.length;
  }
  if (from < text.length) pieces.push({ words: text.slice(from) });
  return pieces;
}
