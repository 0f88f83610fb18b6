import { beforeAll, beforeEach, expect, test } from "vitest";
import { surviveForeignChanges } from "./foreignChanges";

beforeAll(surviveForeignChanges);

let parent: HTMLElement;
let text: Text;
beforeEach(() => {
  parent = document.createElement("p");
  text = document.createTextNode("Booked");
  parent.append(document.createElement("b"), text);
});

/** Replaces the text as Chrome's translation does. */
function translate() {
  const font = document.createElement("font");
  font.textContent = "Reservado";
  text.replaceWith(font);
}

test("a node that was replaced can be removed", () => {
  translate();
  expect(() => parent.removeChild(text)).not.toThrow();
});

test("a node that was moved to another element is removed there", () => {
  const other = document.createElement("i");
  other.append(text);
  parent.removeChild(text);
  expect(other.childNodes).toHaveLength(0);
});

test("a new node whose next sibling was replaced comes last", () => {
  translate();
  const added = document.createElement("u");
  parent.insertBefore(added, text);
  expect(parent.lastChild).toBe(added);
});

test("a new node whose next sibling was moved comes last", () => {
  document.createElement("i").append(text);
  const added = document.createElement("u");
  parent.insertBefore(added, text);
  expect(parent.lastChild).toBe(added);
});

test("other calls do what they did", () => {
  const added = document.createElement("u");
  expect(parent.insertBefore(added, text)).toBe(added);
  expect(text.previousSibling).toBe(added);
  parent.insertBefore(added, null);
  expect(parent.lastChild).toBe(added);
  expect(parent.removeChild(text)).toBe(text);
  expect(parent.textContent).toBe("");
});
