/** A spreadsheet evaluates a cell that begins like this as a formula. */
const FORMULA = /^\s*[=+\-@\t\r]/;

/** A quoted cell. Users may have typed a formula, so an apostrophe makes it plain text. */
function cell(text: string): string {
  const shown = FORMULA.test(text) ? `'${text}` : text;
  return `"${shown.replaceAll('"', '""')}"`;
}

/** A file of comma-separated values (RFC 4180), as spreadsheets open it: with a byte order mark. */
export const csv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
