import ts from "typescript";

/** Stands for a value among a template's words. */
const VALUE = "\0";

/** A text for people that stands in code. */
export interface Stray {
  line: number;
  text: string;
}

/** Attributes and properties whose value people read or hear, whatever they belong to. */
const HUMAN =
  /^(aria-(label|description|roledescription|placeholder|valuetext)|(confirm)?label|title|header|alt|placeholder|caption|summary|hint|note|message|question|notice|empty(Hint)?|nothing|gone|done|stake|words|what)$/i;

/** Calls whose arguments are names: of classes, events, elements, headers, fields, settings, cached answers. */
const NAMES =
  /^(cx|buttonClass|invalidateTags|matchMedia|querySelector(All)?|closest|matches|(add|remove)EventListener|(get|set|remove|has)(Item|Attribute|Property|PropertyValue|RequestHeader)?|append|startsWith|endsWith|includes|split|replace(All)?)$/;

/** Properties that hold such names. */
const OF_NAMES = /^((provides|invalidates)Tags|tagTypes|sizes)$/;

/** What the calls of the contract and the platform have as values. Nobody reads them: what is shown has its own text. */
const VALUES = new Set([
  "User",
  "Seller",
  "Excellent",
  "Good",
  "Fair",
  "ArrowLeft",
  "ArrowRight",
  "Bearer \0",
]);

/** The sizes of a picture, by the width of the screen. */
const MEDIA = /^\((min|max)-width: /;

/**
 * Finds the texts for people in a file: all that stands between tags or in what people read, and every other
 * string that looks like words (two of them, or one with a capital) where it has no use for the code itself.
 * `isClasses` says whether a string is class names.
 */
export function straysOf(path: string, code: string, isClasses: (text: string) => boolean): Stray[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, true);
  const strays: Stray[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== null && isStray(node, text, isClasses)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      strays.push({ line: line + 1, text: text.trim().replace(/\s+/g, " ").replaceAll(VALUE, "…") });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return strays;
}

/** What a node says by itself; null for one that says nothing. */
function textOf(node: ts.Node): string | null {
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => VALUE + literal.text).join("");
}

function isStray(node: ts.Node, text: string, isClasses: (text: string) => boolean): boolean {
  if (!/\p{L}/u.test(text)) return false;
  if (ts.isJsxText(node)) return true;
  const end = endOf(node);
  if (isShown(end)) return true;
  if (isClasses(text.replaceAll(VALUE, " "))) return false;
  return (
    isSaid(end) || (looksLikeWords(text) && !VALUES.has(text) && !MEDIA.test(text) && !isForCode(node, end))
  );
}

/** Two words beside each other, for one of which a value may stand; a capital and a small letter; a part of a sentence. */
function looksLikeWords(text: string): boolean {
  const beside = /([\p{L}\p{N}\0])[\p{P}]*\s+[\p{P}]*([\p{L}\0])/gu;
  const isPair = [...text.matchAll(beside)].some(([, one, other]) => one !== VALUE || other !== VALUE);
  return isPair || /^\s*\p{Lu}\p{Ll}|^\s.*\p{L}|\p{L}.*\s$|\p{L}[.!?…]$/u.test(text);
}

/** The outermost expression that the literal may be the outcome of. */
function endOf(node: ts.Node): ts.Node {
  const { parent } = node;
  const isOutcome =
    (ts.isConditionalExpression(parent) && parent.condition !== node) ||
    (ts.isBinaryExpression(parent) && JOINS.has(parent.operatorToken.kind)) ||
    ts.isParenthesizedExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    ts.isTemplateSpan(parent) ||
    (ts.isTemplateExpression(parent) && ts.isTemplateSpan(node));
  return isOutcome ? endOf(parent) : node;
}

const JOINS = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** The attribute that an expression is the value of. */
function attributeOf({ parent }: ts.Node): ts.JsxAttribute | null {
  if (ts.isJsxAttribute(parent)) return parent;
  return ts.isJsxExpression(parent) && ts.isJsxAttribute(parent.parent) ? parent.parent : null;
}

/** It is a child of an element, or the value of an attribute that people read. */
function isShown(end: ts.Node): boolean {
  const attribute = attributeOf(end);
  return attribute ? HUMAN.test(attribute.name.getText()) : ts.isJsxExpression(end.parent);
}

/** It is the value of a property that people read. */
function isSaid(end: ts.Node): boolean {
  const { parent } = end;
  return ts.isPropertyAssignment(parent) && parent.name !== end && HUMAN.test(parent.name.getText());
}

/** Only the language, the platform or our own code reads it: an address, a key, a type, what is compared, a name. */
function isForCode(node: ts.Node, end: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent))
    return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent) || isCompared(node)) return true;
  const attribute = attributeOf(end);
  if (attribute) return isMachine(attribute);
  return isName(end);
}

function isCompared({ parent }: ts.Node): boolean {
  if (!ts.isBinaryExpression(parent)) return false;
  const { kind } = parent.operatorToken;
  return (
    kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
    kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ||
    kind === ts.SyntaxKind.InKeyword
  );
}

/** Of HTML and SVG elements every attribute but the human ones; of components what hands on class names. */
function isMachine(attribute: ts.JsxAttribute): boolean {
  const tag = attribute.parent.parent.tagName.getText();
  return /^[a-z]/.test(tag) || /className$/i.test(attribute.name.getText());
}

/** An argument, or within one, of a call that takes names; or of an error, whose words are for its finder. */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return parent.expression !== node && NAMES.test(calleeOf(parent));
  if (ts.isNewExpression(parent)) return parent.expression.getText() === "Error";
  if (ts.isPropertyAssignment(parent)) return OF_NAMES.test(parent.name.getText());
  const goesOn =
    ts.isArrayLiteralExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isBinaryExpression(parent);
  return goesOn && isName(parent);
}

function calleeOf({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}
