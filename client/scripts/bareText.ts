import { relative } from "node:path";
import ts from "typescript";

/**
 * Finds bare text: text that is not the only child of its element. A browser's translation replaces the text nodes of a
 * page, and React then cannot change, move or remove them. It can replace the only text of an element (docs/adr/0033).
 */

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike;

/** Whether a value of this type may be rendered as text. React renders nothing for "". `seen` ends the check of a recursive type. */
function mayBeText(type: ts.Type, checker: ts.TypeChecker, seen: readonly ts.Type[] = []): boolean {
  if (seen.includes(type)) return false;
  const isText = (part: ts.Type) => mayBeText(part, checker, [...seen, type]);
  if (type.isUnion()) return type.types.some(isText);
  if (type.isStringLiteral() && type.value.trim() === "") return false;
  if (checker.isArrayType(type)) return checker.getTypeArguments(type as ts.TypeReference).some(isText);
  return (type.flags & TEXT) !== 0;
}

/** Whether an expression may be rendered as text: `{text}`, `{isOpen ? text : <p/>}`, `{isOpen && text}`. */
function mayRenderText(node: ts.Expression, checker: ts.TypeChecker): boolean {
  if (ts.isParenthesizedExpression(node)) return mayRenderText(node.expression, checker);
  if (ts.isConditionalExpression(node)) {
    return mayRenderText(node.whenTrue, checker) || mayRenderText(node.whenFalse, checker);
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) {
    // Of a string, only "" is rendered in place of the right side; of a number, 0.
    const left = checker.getTypeAtLocation(node.left);
    const isNumber = (left.flags & ts.TypeFlags.NumberLike) !== 0;
    return isNumber || mayRenderText(node.right, checker);
  }
  return mayBeText(checker.getTypeAtLocation(node), checker);
}

/**
 * Whether it is a component of ours that may return text. Even alone in an element, this is not the element's own text
 * for React.
 */
function mayReturnText({ tagName }: ts.JsxOpeningLikeElement, checker: ts.TypeChecker): boolean {
  if (ts.isIdentifier(tagName) && /^[a-z]/.test(tagName.text)) return false;
  return checker
    .getTypeAtLocation(tagName)
    .getCallSignatures()
    .filter((signature) => !signature.declaration?.getSourceFile().isDeclarationFile)
    .some((signature) => mayBeText(signature.getReturnType(), checker));
}

function isBareText(child: ts.JsxChild, isAlone: boolean, checker: ts.TypeChecker): boolean {
  if (ts.isJsxText(child)) return !isAlone;
  if (!ts.isJsxExpression(child) || !child.expression) return false;
  const isList = checker.isArrayType(checker.getTypeAtLocation(child.expression));
  return (!isAlone || isList) && mayRenderText(child.expression, checker);
}

const isRendered = (child: ts.JsxChild) =>
  !(ts.isJsxText(child) && child.text.trim() === "") && !(ts.isJsxExpression(child) && !child.expression);

/** The bare texts of a file, each with its line: `12: {t.label}`. */
function bareTextsOf(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const add = (node: ts.Node) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getEnd());
    found.push(`${line + 1}: ${node.getText().trim().replace(/\s+/g, " ")}`);
  };
  const visit = (node: ts.Node) => {
    if (ts.isJsxOpeningLikeElement(node) && mayReturnText(node, checker)) add(node);
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const children = node.children.filter(isRendered);
      // What is in a fragment stands beside whatever its component stands beside.
      const isAlone = children.length === 1 && !ts.isJsxFragment(node);
      for (const child of children) if (isBareText(child, isAlone, checker)) add(child);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * The bare texts of all files in a folder below that of tsconfig.json, as `src/ui/Button.tsx:12: {children}`. `added`
 * are files that exist for this call only, with their text.
 */
export function findBareText(folder: string, added: Record<string, string> = {}): string[] {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const config = ts.getParsedCommandLineOfConfigFile("tsconfig.json", {}, host);
  if (!config) throw new Error("tsconfig.json cannot be read");
  const compilerHost = ts.createCompilerHost(config.options);
  const { getSourceFile } = compilerHost;
  compilerHost.getSourceFile = (name, version, ...rest) => {
    const text = added[relative(".", name)];
    return text === undefined
      ? getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, text, version, true);
  };
  const names = [...config.fileNames, ...Object.keys(added)];
  const program = ts.createProgram(names, config.options, compilerHost);
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName }) => relative(".", fileName).startsWith(folder))
    .filter(({ fileName }) => !/\.test\.tsx$|\/testing\//.test(fileName))
    .flatMap((file) => bareTextsOf(file, checker).map((text) => `${relative(".", file.fileName)}:${text}`));
}
