import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Lints one line of source as if it stood in the given file; true when a wall stops it. */
function stopped(file: string, source: string): boolean {
  const { stdout, stderr } = spawnSync(
    "node_modules/.bin/biome",
    ["lint", "--only=style/noRestrictedImports", `--stdin-file-path=${file}`],
    { input: source, encoding: "utf8" },
  );
  return `${stdout}${stderr}`.includes("noRestrictedImports");
}

test.each([
  ["src/lib/money.ts", "@/ui"],
  ["src/lib/money.ts", "@/api/session"],
  ["src/ui/Card.tsx", "@/api/session"],
  ["src/ui/Card.tsx", "@/features/auth/SignIn"],
  ["src/api/session.ts", "@/app/store"],
  ["src/features/booking/BookingDialog.tsx", "@/features/catalog/card"],
  ["src/features/booking/BookingDialog.tsx", "../catalog/card"],
  ["src/features/booking/BookingDialog.tsx", "@/app/store"],
  ["src/app/live/Live.tsx", "../store"],
])("%s may not import %s", (file, specifier) => {
  expect(stopped(file, `import { x } from "${specifier}";\nexport const y = x;\n`)).toBe(true);
});

test.each([
  ["src/ui/Card.tsx", "@/lib/money"],
  ["src/features/booking/BookingDialog.tsx", "@/ui"],
  ["src/features/booking/BookingDialog.tsx", "@/api/session"],
  ["src/features/booking/BookingDialog.tsx", "./endpoints"],
  ["src/app/routes.tsx", "@/features/booking/BookingDialog"],
])("%s may import %s", (file, specifier) => {
  expect(stopped(file, `import { x } from "${specifier}";\nexport const y = x;\n`)).toBe(false);
});
