import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Trans } from "./Trans";

const html = (node: React.ReactNode) => render(<p>{node}</p>).container.innerHTML;

test("a gap is filled where the sentence has it", () => {
  const address = <b>us@example.com</b>;
  expect(html(<Trans text="Write to {address}." values={{ address }} />)).toBe(
    "<p>Write to <b>us@example.com</b>.</p>",
  );
  expect(html(<Trans text="{address}: write there" values={{ address }} />)).toBe(
    "<p><b>us@example.com</b>: write there</p>",
  );
});

test("marked words are handed to what wraps them", () => {
  const link = (words: string) => <a href="/x">{words}</a>;
  expect(html(<Trans text="<link>Look</link> first, or {later}" values={{ link, later: "later" }} />)).toBe(
    '<p><a href="/x">Look</a> first, or later</p>',
  );
});

test("the compiler knows what a sentence wants", () => {
  // @ts-expect-error the gap has nothing to fill it
  <Trans text="Write to {address}." values={{}} />;
  // @ts-expect-error a mark wants a function
  <Trans text="<link>Look</link>" values={{ link: "Look" }} />;
});
