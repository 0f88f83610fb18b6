import { Fragment, type ReactNode } from "react";
import { type Gaps, type Marks, piecesOf } from "@/lib/sentence";

/** What goes into a sentence: a node for each gap, for each mark what to make of the words in it. */
type Parts<Text extends string> = { [Name in Gaps<Text>]: ReactNode } & {
  [Name in Marks<Text>]: (words: string) => ReactNode;
};

/**
 * A sentence with something inside it, in the order of the language it is written in:
 * `slots("Please write to {address}.", { address: <a …/> })`,
 * `slots("<link>Look through the brands</link> first.", { link: (words) => <Link …>{words}</Link> })`.
 */
export function slots<Text extends string>(text: Text, parts: Parts<Text>): ReactNode {
  const given: Record<string, ReactNode | ((words: string) => ReactNode)> = parts;
  return piecesOf(text).map((piece, place) => {
    const name = "gap" in piece ? piece.gap : "mark" in piece ? piece.mark : "";
    const part = given[name];
    const words = "words" in piece ? piece.words : "";
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence never change places
    return <Fragment key={place}>{typeof part === "function" ? part(words) : (part ?? words)}</Fragment>;
  });
}
