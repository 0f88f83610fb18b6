import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorsWith } from "./scripts/language.ts";
import { pseudo, translated, writePseudo } from "./scripts/pseudo.ts";

/** The compiler reads the whole client. */
const TYPES_MS = 240_000;
const FOLDER = ".pseudo-types";
const of = (name: string) => `${FOLDER}/${name}.ts`;

beforeAll(() => writePseudo(FOLDER));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

test("the pseudo-language keeps what a sentence has in it, in another order", () => {
  expect(pseudo("Write to {address}.")).toBe(".{address}Ｗｒｉｔｅ ｔｏ ");
  expect(translated('export const a = (n: number) => plural(n, { one: "# day", other: `#${n} d` });')).toBe(
    'export const a = (n: number) => plural(n, { one: "# ｄａｙ", other: `#${n} ｄ` });',
  );
});

describe("another folder of texts", () => {
  test(
    "is taken by the compiler for the whole client when it has the same shape",
    () => {
      expect(errorsWith(FOLDER)).toEqual([]);
    },
    TYPES_MS,
  );

  test(
    "is refused for a text that is missing, takes another value or has another gap",
    () => {
      const contact = readFileSync(of("contact"), "utf8");
      const orders = readFileSync(of("orders"), "utf8");
      writeFileSync(
        of("contact"),
        contact.replace("{address}", "{adress}").replace("export const send ", "const send "),
      );
      writeFileSync(of("orders"), orders.replace("payFor = (phone: string)", "payFor = (phone: number)"));
      const errors = errorsWith(FOLDER, /features\/(contact|orders)\//).join("\n");
      writeFileSync(of("contact"), contact);
      writeFileSync(of("orders"), orders);
      expect(errors).toContain("'address' does not exist in type");
      expect(errors).toContain("Property 'send' does not exist");
      expect(errors).toContain("'string' is not assignable to parameter of type 'number'");
    },
    TYPES_MS,
  );

  test("says in the page which language it is, and which way it is read", async () => {
    process.env.SECONDRING_TEXTS = FOLDER;
    const server = await createServer({
      server: { middlewareMode: true },
      appType: "custom",
      logLevel: "error",
    });
    delete process.env.SECONDRING_TEXTS;
    try {
      const page = await server.transformIndexHtml("/", readFileSync("index.html", "utf8"));
      expect(page).toContain('<html lang="ar" dir="rtl">');
      expect(page).toContain("<title>ＳｅｃｏｎｄＲｉｎｇ</title>");
    } finally {
      await server.close();
    }
  });
});
