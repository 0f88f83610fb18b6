import { Fragment } from "react";
import { type Placeholders, parseTemplate, type Tags } from "@/lib/interpolate";
import type { Elements } from "@/ui/Elements";

/** A node for each placeholder of the text, and a function that wraps the text of each tag. */
type Values<Text extends string> = { [Name in Placeholders<Text>]: Elements | string } & {
  [Name in Tags<Text>]: (text: string) => Elements;
};

interface Props<Text extends string> {
  text: Text;
  values: Values<Text>;
}

/**
 * A text with elements inside it; each piece of text is an element of its own:
 * `<Trans text="Please write to {address}." values={{ address: <a …/> }} />`,
 * `<Trans text="<link>Browse brands</link> first." values={{ link: (text) => <Link …>{text}</Link> }} />`.
 */
export function Trans<Text extends string>({ text, values }: Props<Text>): Elements {
  const byName: Record<string, Elements | string | ((text: string) => Elements)> = values;
  return parseTemplate(text).map((part, index) => {
    const name = "placeholder" in part ? part.placeholder : "tag" in part ? part.tag : "";
    const value = byName[name];
    const content = "text" in part ? part.text : "";
    const node = typeof value === "function" ? value(content) : (value ?? content);
    const Part = typeof node === "string" ? "span" : Fragment;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    return <Part key={index}>{node}</Part>;
  });
}
