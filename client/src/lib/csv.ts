/** A spreadsheet takes a cell that begins like this for a formula. */
const FORMULA = /^\s*[=+\-@\t\r]/;

/** A quoted cell. An apostrophe makes text of a formula: anybody may have written it. */
function cell(text: string): string {
  const shown = FORMULA.test(text) ? `'${text}` : text;
  return `"${shown.replaceAll('"', '""')}"`;
}

/** A file of comma-separated values (RFC 4180), as spreadsheets open it: with a byte order mark. */
export const csv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
