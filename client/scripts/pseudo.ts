import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { piecesOf } from "../src/lib/sentence.ts";

/** Where the pseudo-language is written: a folder of the same shape as src/texts. */
export const PSEUDO = ".pseudo";

/** Wide letters: still read by us, never to be taken for an English text that has been left in the code. */
const widen = (words: string) =>
  words.replace(/[A-Za-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));

/** A sentence in the pseudo-language: its gaps and marks stand the other way round, as in many a language. */
export function pseudo(text: string): string {
  const pieces = piecesOf(text).map((piece) => {
    if ("gap" in piece) return `{${piece.gap}}`;
    return "mark" in piece ? `<${piece.mark}>${widen(piece.words)}</${piece.mark}>` : widen(piece.words);
  });
  return pieces.reverse().join("");
}

/** Where a string or a part of a template stands, without its quotes. */
interface Span {
  from: number;
  to: number;
}

function spansOf(file: ts.SourceFile): Span[] {
  const spans: Span[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const isPart = ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
    if (ts.isStringLiteralLike(node) || isPart) {
      const opens = ts.isTemplateHead(node) || ts.isTemplateMiddle(node) ? 2 : 1;
      spans.push({ from: node.getStart(file) + 1, to: node.getEnd() - opens });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return spans;
}

/** A module of English texts as one of the pseudo-language. */
export function translated(module: string): string {
  const file = ts.createSourceFile("x.ts", module, ts.ScriptTarget.ESNext, true);
  let done = "";
  let at = 0;
  for (const { from, to } of spansOf(file)) {
    done += module.slice(at, from) + pseudo(module.slice(from, to));
    at = to;
  }
  return done + module.slice(at);
}

/** Writes the pseudo-language: read from right to left, with numbers as in Egypt. */
export function writePseudo(folder: string = PSEUDO): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of readdirSync("src/texts")) {
    const module = readFileSync(join("src/texts", name), "utf8");
    const own = name === "language.ts" ? inEgypt(module) : translated(module);
    writeFileSync(join(folder, name), own);
  }
}

function inEgypt(language: string): string {
  return language
    .replace('LANG = "en"', 'LANG = "ar"')
    .replace('DIR: "ltr" | "rtl" = "ltr"', 'DIR: "ltr" | "rtl" = "rtl"')
    .replace('LOCALE = "en-GB"', 'LOCALE = "ar-EG"')
    .replace("{ moneyOf, numberOf, pluralOf }", "{ moneyIn, numberIn, pluralIn }")
    .replace("lib/english", "lib/intl")
    .replace(/= (plural|number|money)Of;/g, "= /* @__PURE__ */ $1In(LOCALE);");
}
