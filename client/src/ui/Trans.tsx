import { Fragment, type ReactNode } from "react";
import { type Placeholders, parseTemplate, type Tags } from "@/lib/interpolate";

/** A node for each placeholder of the text, and a function that wraps the text of each tag. */
type Values<Text extends string> = { [Name in Placeholders<Text>]: ReactNode } & {
  [Name in Tags<Text>]: (text: string) => ReactNode;
};

interface Props<Text extends string> {
  text: Text;
  values: Values<Text>;
}

/**
 * A text with elements inside it:
 * `<Trans text="Please write to {address}." values={{ address: <a …/> }} />`,
 * `<Trans text="<link>Browse brands</link> first." values={{ link: (text) => <Link …>{text}</Link> }} />`.
 */
export function Trans<Text extends string>({ text, values }: Props<Text>): ReactNode {
  const byName: Record<string, ReactNode | ((text: string) => ReactNode)> = values;
  return parseTemplate(text).map((part, index) => {
    const name = "placeholder" in part ? part.placeholder : "tag" in part ? part.tag : "";
    const value = byName[name];
    const content = "text" in part ? part.text : "";
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      <Fragment key={index}>{typeof value === "function" ? value(content) : (value ?? content)}</Fragment>
    );
  });
}
