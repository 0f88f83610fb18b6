import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Trans } from "./Trans";

const html = (node: React.ReactNode) => render(<p>{node}</p>).container.innerHTML;

test("a placeholder is replaced by its value", () => {
  const address = <b>us@example.com</b>;
  expect(html(<Trans text="Write to {address}." values={{ address }} />)).toBe(
    "<p><span>Write to </span><b>us@example.com</b><span>.</span></p>",
  );
  expect(html(<Trans text="{address}: write there" values={{ address }} />)).toBe(
    "<p><b>us@example.com</b><span>: write there</span></p>",
  );
});

test("the text in a tag is passed to its function", () => {
  const link = (text: string) => <a href="/x">{text}</a>;
  expect(html(<Trans text="<link>Look</link> first, or {later}" values={{ link, later: "later" }} />)).toBe(
    '<p><a href="/x">Look</a><span> first, or </span><span>later</span></p>',
  );
});

test("the compiler rejects missing and unknown values", () => {
  // @ts-expect-error the value of the placeholder is missing
  <Trans text="Write to {address}." values={{}} />;
  // @ts-expect-error the value of a tag must be a function
  <Trans text="<link>Look</link>" values={{ link: "Look" }} />;
});
