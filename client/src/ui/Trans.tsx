import { Fragment, type ReactNode } from "react";
import { type Gaps, type Marks, piecesOf } from "@/lib/interpolate";

/** A node for each `{gap}` of the text, and for each `<mark>` a function that wraps its words. */
type Values<Text extends string> = { [Name in Gaps<Text>]: ReactNode } & {
  [Name in Marks<Text>]: (words: string) => ReactNode;
};

interface Props<Text extends string> {
  text: Text;
  values: Values<Text>;
}

/**
 * A text with elements inside it:
 * `<Trans text="Please write to {address}." values={{ address: <a …/> }} />`,
 * `<Trans text="<link>Browse brands</link> first." values={{ link: (words) => <Link …>{words}</Link> }} />`.
 */
export function Trans<Text extends string>({ text, values }: Props<Text>): ReactNode {
  const byName: Record<string, ReactNode | ((words: string) => ReactNode)> = values;
  return piecesOf(text).map((piece, index) => {
    const name = "gap" in piece ? piece.gap : "mark" in piece ? piece.mark : "";
    const value = byName[name];
    const words = "words" in piece ? piece.words : "";
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change their order
    return <Fragment key={index}>{typeof value === "function" ? value(words) : (value ?? words)}</Fragment>;
  });
}
