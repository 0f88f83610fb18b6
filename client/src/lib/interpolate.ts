/** The placeholders of a template: "address" of "Please write to {address}." */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The tags of a template: "link" of "<link>Browse brands</link> first." */
export type Tags<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | Tags<Rest>
  : never;

/** A part of a template: plain text, a placeholder, or text in a tag. */
type TemplatePart = { text: string } | { placeholder: string } | { tag: string; text: string };

/** Splits a template at its placeholders and tags, in the order of the text. */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of template.matchAll(/\{(\w+)\}|<(\w+)>(.*?)<\/\2>/g)) {
    const [whole, placeholder, tag = "", text = ""] = match;
    if (match.index > end) parts.push({ text: template.slice(end, match.index) });
    parts.push(placeholder === undefined ? { tag, text } : { placeholder });
    end = match.index + whole.length;
  }
  if (end < template.length) parts.push({ text: template.slice(end) });
  return parts;
}
