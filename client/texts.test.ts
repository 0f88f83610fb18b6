import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { classReader } from "./scripts/classes.ts";
import { straysOf } from "./scripts/strays.ts";

/** Rooms whose texts are still to be brought to src/texts. */
const NOT_YET: string[] = [];

/** The client's own code, without its texts and its tests. */
const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|^testing\/|^texts\/|^api\/schema\.d\.ts$/.test(path))
  .sort();

let isClasses: (text: string) => boolean;
beforeAll(async () => {
  isClasses = await classReader();
});
const strays = (code: string) => straysOf("x.tsx", code, isClasses).map(({ text }) => text);

test("no text for people stands outside src/texts", () => {
  const found = files
    .filter((path) => !NOT_YET.some((room) => path.startsWith(room)))
    .flatMap((path) =>
      straysOf(path, readFileSync(`src/${path}`, "utf8"), isClasses).map(
        ({ line, text }) => `src/${path}:${line} ${text}`,
      ),
    );
  expect(found).toEqual([]);
});

test("numbers, money and dates are written by lib/intl alone", () => {
  const found = files.filter(
    (path) =>
      path !== "lib/intl.ts" &&
      !NOT_YET.some((room) => path.startsWith(room)) &&
      /\bIntl\.|\.toLocale\w*String\(/.test(readFileSync(`src/${path}`, "utf8")),
  );
  expect(found).toEqual([]);
});

describe("a stray text is found", () => {
  test.each([
    ["between tags", "<p>Delete</p>", "Delete"],
    ["between tags, in small letters", "<p>{n} of {all}</p>", "of"],
    ["as a child", '<p>{"paid"}</p>', "paid"],
    ["as one of two children", '<p>{open ? money(price) : "or"}</p>', "or"],
    ["after a condition", '<p>{late && "too late"}</p>', "too late"],
    ["in an attribute that is read out", '<nav aria-label="menu" />', "menu"],
    ["in a component's label", '<Field label="phone" />', "phone"],
    ["in a template in an attribute", "<img alt={`photo of ${name}`} />", "photo of …"],
    ["as another property of a component", '<Panel words2="two words" />', "two words"],
    ["in a column", 'const column = { header: "image", cell };', "image"],
    ["in a toast", 'toast("Saved");', "Saved"],
    ["in a message", 'setError("price", { message: "too much" });', "too much"],
    ["in a constant", 'const LATE = "the time is over";', "the time is over"],
    ["in a constant of one word", 'const PAID = "Paid";', "Paid"],
    ["in a table of words", 'const words: Words = { paid: "Paid" };', "Paid"],
    ["in a template", "const left = `${n} min`;", "… min"],
    ["in parts", 'const left = "no longer " + name;', "no longer"],
    ["as a part", 'const from = "by " + name;', "by"],
    ["as a sentence of one word", 'const gone = [name, "gone."];', "gone."],
    ["as what a function answers", 'const named = () => "An entry";', "An entry"],
    ["in classes that are no classes", 'const state = "flex and hidden";', "flex and hidden"],
  ])("%s", (_, code, text) => {
    expect(strays(code)).toEqual([text]);
  });
});

test.each([
  ["classes", 'const look = "grid gap-5 rounded-lg @4xl:w-36 group";'],
  ["classes in an attribute", "<p className={`grid ${below}`} />"],
  ["classes put together", 'cx("block rounded", active && "no class of ours");'],
  ["addresses and keys", 'import x from "Some Thing"; const y = z["An entry"];'],
  ["what is compared", 'const enter = event.key === "Enter";'],
  ["attributes that a machine reads", '<svg viewBox="0 0 24 24"><path d="M 3 3 L 4 4" /></svg>'],
  ["types", 'type Status = "Paid" | "two words"; const x = y as "Paid";'],
  ["names in calls", 'document.querySelector("input:not([readonly]), select"); h.get("Live-Position");'],
  ["values of the contract", 'const CONDITIONS = ["Excellent", "Good", "Fair"] as const;'],
  ["texts of the room", "<Field label={t.phone} hint={t.phoneHint(name)} />"],
])("%s are no stray text", (_, code) => {
  expect(strays(code)).toEqual([]);
});
