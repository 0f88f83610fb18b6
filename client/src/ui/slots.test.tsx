import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { slots } from "./slots";

const html = (node: React.ReactNode) => render(<p>{node}</p>).container.innerHTML;

test("a gap is filled where the sentence has it", () => {
  const address = <b>us@example.com</b>;
  expect(html(slots("Write to {address}.", { address }))).toBe("<p>Write to <b>us@example.com</b>.</p>");
  expect(html(slots("{address}: write there", { address }))).toBe(
    "<p><b>us@example.com</b>: write there</p>",
  );
});

test("marked words are handed to what wraps them", () => {
  const link = (words: string) => <a href="/x">{words}</a>;
  expect(html(slots("<link>Look</link> first, or {later}", { link, later: "later" }))).toBe(
    '<p><a href="/x">Look</a> first, or later</p>',
  );
});

test("the compiler knows what a sentence wants", () => {
  // @ts-expect-error the gap has nothing to fill it
  slots("Write to {address}.", {});
  // @ts-expect-error a mark wants a function
  slots("<link>Look</link>", { link: "Look" });
});
