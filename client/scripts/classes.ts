import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compile } from "tailwindcss";

/** Marks that Tailwind's variants look at; it makes no rule of them alone. */
const MARKS = new Set(["group", "peer"]);

/** Says of a string whether Tailwind, with our theme, knows each of its words as a class. */
export async function classReader(): Promise<(text: string) => boolean> {
  const { build } = await compile(readFileSync("src/styles/theme.css", "utf8"), {
    base: "src/styles",
    loadStylesheet: async (id) => {
      const path = createRequire(import.meta.url).resolve(`${id}/index.css`);
      return { path, base: dirname(path), content: readFileSync(path, "utf8") };
    },
  });
  const known = new Map<string, boolean>();
  const isClass = (word: string) => {
    const before = build([]);
    // The sheet grows by the rules of a class that is new to it.
    const isOne = known.get(word) ?? (MARKS.has(word) || build([word]) !== before);
    known.set(word, isOne);
    return isOne;
  };
  return (text) => text.split(/\s+/).filter(Boolean).every(isClass);
}
