import { expect, it } from "vitest";
import { csv } from "./csv";

it("quotes each cell and doubles the quotes in it", () => {
  expect(
    csv([
      ["Name", "Sum"],
      ['Sam "S", of\nDhaka', "12.50"],
    ]),
  ).toBe('\uFEFF"Name","Sum"\r\n"Sam ""S"", of\nDhaka","12.50"\r\n');
});

it.each(["=1+1", "+1", "-1", "@sum", "\t=1", " =1", "\r=1"])(
  "puts an apostrophe before %j, so that a spreadsheet does not calculate it",
  (formula) => {
    expect(csv([[formula]])).toBe(`\uFEFF"'${formula}"\r\n`);
  },
);
