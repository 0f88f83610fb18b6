import { beforeAll, expect, test } from "vitest";
import { findBareText } from "./scripts/bareText";

/** Components with bare text, in the ways in which it is written. */
const BARE = [
  "<p>{isOpen && <b />}Text</p>",
  "<p>Text{isOpen && <b />}</p>",
  "<p>{text}{isOpen && <b />}</p>",
  "<p>{isOpen && text}<b /></p>",
  "<p>{isOpen ? text : <b />}<i /></p>",
  "<p>{text ?? 'none'}<i /></p>",
  "<p>{count} <i /></p>",
  "<p>{count && <b />}<i /></p>",
  "<p>{text + count}<i /></p>",
  "<p>{texts}</p>",
  "<p>{texts.map((one) => one)}<i /></p>",
  "<button>{isOpen && <b />}{children}</button>",
  "<>{text}</>",
  "<>Text<b /></>",
  "<Shown><b />{text}</Shown>",
  "<p><b /> · <i /></p>",
  "<p><Words /><i /></p>",
  "<p><Words /></p>",
];

/** Components without bare text. */
const GOOD = [
  "<p>Text</p>",
  "<p>{text}</p>",
  "<p>{isOpen ? text : <b />}</p>",
  "<p>{children}</p>",
  "<p>{isOpen && text}</p>",
  "<p>{text && <b />} <i /></p>",
  '<p><b />{" "}<i /></p>',
  "<p><span>{text}</span>{isOpen && <b />}</p>",
  "<p>{texts.map((one) => <b key={one}>{one}</b>)}<i /></p>",
  "<p>{/* A note. */}{text}</p>",
  "<Shown>{text}</Shown>",
];

const fileOf = (jsx: string) => `
import type { ReactNode } from "react";
declare const isOpen: boolean, text: string, count: number, texts: string[], children: ReactNode;
declare function Shown(props: { children: ReactNode }): React.JSX.Element;
declare function Words(): string;
export const example = (
  ${jsx}
);
`;
const nameOf = (index: number) => `src/example${index}.tsx`;

let found: string[];
beforeAll(() => {
  const examples = [...BARE, ...GOOD].map((jsx, index) => [nameOf(index), fileOf(jsx)]);
  found = findBareText("src/", Object.fromEntries(examples));
}, 120_000);

const isFound = (index: number) => found.some((one) => one.startsWith(`${nameOf(index)}:`));

test.each(BARE.map((jsx, index) => [jsx, index] as const))("%s has bare text", (_, index) => {
  expect(isFound(index)).toBe(true);
});

test.each(GOOD.map((jsx, index) => [jsx, index] as const))("%s has none", (_, index) => {
  expect(isFound(BARE.length + index)).toBe(false);
});

test("no text of the client stands beside other children", () => {
  expect(found.filter((one) => !one.startsWith("src/example"))).toEqual([]);
});
